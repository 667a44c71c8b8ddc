"""The networks that can think beside the search: a module each, under `@network`."""
