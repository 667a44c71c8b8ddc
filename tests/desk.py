"""The compiled search asked about single states, through the one entry that Python has to it."""

from botapp.search.core import requests as ask_for
from botapp.search.core.styles import styles_of
from botapp.search.desk import SearchDesk
from botapp.search.reading import taken_apart


class Desk:
    """Room for one state at a time, and an evaluation that is prepared for a decision.

    Args:
        first: the decision's first state.
        team: the side taken, the actor's unless given.
    """

    def __init__(self, first, team=None, play_style=None):
        self.desk = SearchDesk(0)
        self.packed = taken_apart(first)
        self.styles = styles_of(self.packed, play_style) if play_style else styles_of(self.packed)
        self.prepare(first, team)

    def prepare(self, first, team=None):
        self.load(first)
        self.desk.prepare(first.actor.team if team is None else team)

    def load(self, state):
        """Puts a state in place that follows from the first one."""
        before, self.packed = self.packed, taken_apart(state)
        assert self.packed.book is before.book, "a state of another fight"
        self.desk.use(self.packed.book, self.styles)
        self.desk.load(self.packed.parts)

    def answers(self, what, count, x=0):
        return self.desk.answers(what, count, x)

    def score(self, fleeting=True):
        """How much better off the side is, in HP."""
        return self.answers(ask_for.SCORE, 1, int(fleeting))[0]

    def terms(self):
        """The static evaluation, the enemies' threat and the actor's outlook, in HP."""
        return self.answers(ask_for.TERMS, 3)

    def threat(self, among=-1):
        """What the enemies whose numbers are bits of `among` may take, in HP."""
        return self.answers(ask_for.THREAT_OF, 1, among)[0]
