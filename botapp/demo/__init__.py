"""The demo: the practice arena beside the app, its advice played into it, and a report at the end."""
