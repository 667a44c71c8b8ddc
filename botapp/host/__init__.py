"""This computer and its user: settings, files, folders, the log, the language.

Below every other package of the app.
"""
