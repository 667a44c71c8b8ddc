"""The real game's data as a player brings it: read, kept, and put into the words of the rules.

None of it comes with the app.
"""
