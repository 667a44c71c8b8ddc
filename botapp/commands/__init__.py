"""The subcommands of `botapp`, by group."""
