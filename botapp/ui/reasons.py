"""Why there is no advice, in the person's language."""

from botapp.tracking.reasons import plainly
from botapp.ui.translation import tr


def told(reason: str) -> str:
    """Returns a reason in the person's language; "" stays that."""
    return tr(plainly(reason))
