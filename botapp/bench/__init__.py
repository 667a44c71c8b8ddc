"""Every benchmark of the app. Next hop: `botapp.commands.bench` prints the reports."""
