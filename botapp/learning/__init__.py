"""How the advisor's models are made: fights with a teacher, training, grading. None of it runs in the app."""
