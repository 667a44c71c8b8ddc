"""Names in a form in which they are looked for: small letters and digits without accents."""

import unicodedata


def plain(text: str) -> str:
    """Returns a text in small letters without accents, everything else than letters and digits a blank."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    kept = (letter if letter.isalnum() else " " for letter in bare if not unicodedata.combining(letter))
    return " ".join("".join(kept).split())
