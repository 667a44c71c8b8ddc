"""The subcommands of `botapp`, by group. Next hop: `botapp.cli` puts them together."""
