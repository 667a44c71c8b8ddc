"""The players there are: each module holds some, under `@player` (`base.py`)."""
