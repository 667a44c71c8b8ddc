"""The subcommands of `botapp`, by group. Next hop: `botapp.commands.cli` puts them together."""
