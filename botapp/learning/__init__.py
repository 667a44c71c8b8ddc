"""How the advisor's models are made: fights with labelled states, training, grading. Not part of the app."""
