"""Reasons as sentences. Next hop: whatever shows a person why something could not be read."""


def sentence(text: str) -> str:
    """Returns a reason as vision words it ("the fight is over") as a sentence; "" stays empty."""
    return f"{text[0].upper()}{text[1:]}." if text else ""
