"""Tasks that the model is trained on beside the advisor: sudoku, maze."""
