"""Small widgets the panels are made of."""
