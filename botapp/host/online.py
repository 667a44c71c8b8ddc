"""The way to other computers: what a person has asked for, from the one address that was said.

The only module of the product that goes online; its callers say first what is asked and of which address.
"""

import urllib.error
import urllib.request
from http.client import HTTPException, HTTPResponse
from typing import Any

from botapp.host.versions import versions

TROUBLE = (OSError, HTTPException)
"""What may go wrong on the way; an answer that is no success is a `urllib.error.HTTPError`, an OSError."""


class _SamePlace(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: nothing is asked of any other address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def opener(accept: str) -> urllib.request.OpenerDirector:
    """Returns what opens addresses, with botapp's version as the only thing said of the person."""
    made = urllib.request.build_opener(_SamePlace)
    made.addheaders = [("User-Agent", f"botapp/{versions()['botapp']}"), ("Accept", accept)]
    return made


def body(answer: HTTPResponse, largest: int) -> bytes:
    """Returns an answer's content.

    Raises:
        HTTPException: there is more than `largest` bytes of it, or less than was promised.
    """
    content = answer.read(largest + 1)
    if len(content) > largest:
        raise HTTPException("far too long an answer")
    length = answer.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) != len(content):
        raise HTTPException("half an answer")
    return content


def said(error: BaseException | None) -> str:
    """Returns what went wrong, in the words of the server or the system."""
    if isinstance(error, urllib.error.HTTPError):
        return f"{error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    return str(error) or type(error).__name__
