"""Every benchmark of the app."""
