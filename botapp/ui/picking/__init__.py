"""Picking the window to watch: what there is, small live pictures of it, and the dialog."""
