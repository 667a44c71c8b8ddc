"""Fight screens of our own, drawn in the manner of each client, with their truth: to tune and test on.

Nothing here is read from the game: shapes, colours and sizes are our own, near those measured on real
screens in what matters to a reader, and varied as real screens vary. Nothing is taken from the profiles that
the reader uses either. `vision.synthetic.screen.draw` makes one picture with its label;
`python -m vision.synthetic` writes, scores and damages pictures.
"""
