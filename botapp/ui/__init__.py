"""Windows, panels, settings page and overlay; the only package beside the arena window that knows Qt."""
