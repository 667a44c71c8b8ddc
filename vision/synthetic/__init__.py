"""Synthetic fight screens in the style of each client, with labels, for tuning and testing the reader.

Nothing is taken from the game: shapes, colours and sizes are our own, close to those measured on real screens
where it matters to a reader, and varied as real screens vary. Nothing is taken from the profiles either.
`vision.synthetic.screen.draw` makes one picture with its label; `python -m vision.synthetic` writes, scores
and damages pictures.
"""
