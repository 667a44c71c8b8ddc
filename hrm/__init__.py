"""The Hierarchical Reasoning Model as a library of its own: knows nothing of games, Qt or windows."""
