"""Memory of a device: estimated before a model is loaded, capped, streamed through, and read from drivers."""
