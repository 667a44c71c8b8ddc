"""The settings page, drawn from the settings' own metadata."""
