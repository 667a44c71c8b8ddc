"""What is known of classes, spells, monsters and maps: the app's own content and what a person added.

`botapp.content.knowledge.base.knowledge()` is the one that the app uses.
"""
