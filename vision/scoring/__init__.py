"""How right the reader is on pictures whose truth is known."""
