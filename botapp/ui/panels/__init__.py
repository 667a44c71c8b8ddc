"""The main window's panels, one module each."""
