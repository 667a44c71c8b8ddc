"""The real game's data as a player brings it: read, kept, and put into the words of the rules.

None of it comes with the app. Next hop: `botapp.content.knowledge` lays a person's own changes on top.
"""
