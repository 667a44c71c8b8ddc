"""`botapp doctor`: what there is on this computer, what is wrong with it, and what to do about it.

`snapshot` looks, `faults` judges, `examination` adds the app's own parts, `report` puts all of it in words.
"""
