"""In which line of a TOML file a field stands, so that an error can point at it.

`tomllib` keeps no places; this walks over a text that `tomllib` has accepted and notes where every value
begins.
"""

import re
import tomllib

_BLANK = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}' r"|'''(?:[^']|'(?!''))*'{3,5}" r'|"(?:[^"\\]|\\.)*"' r"|'[^']*'",
    re.DOTALL,
)


class Lines:
    """The lines of a valid TOML text's fields, by path such as `spells.cleave.effects[0].kind`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines: dict[str, int] = {}
        self._listed: dict[str, int] = {}
        self._walk()

    def of(self, path: str) -> int:
        """Returns the line (from 1) of a field, of what holds it where it is missing, else 1."""
        while path and path not in self._lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._lines.get(path, 1)

    def _walk(self) -> None:
        table = ""
        while self._skip():
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _skip(self) -> bool:
        """Goes over blanks, comments and commas; tells whether anything follows."""
        match = _BLANK.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at < len(self._text)

    def _note(self, path: str, at: int) -> None:
        self._lines.setdefault(path, self._text.count("\n", 0, at) + 1)

    def _header(self) -> str:
        """Reads `[a.b]` or `[[a.b]]`; returns the path of the table that begins."""
        start = self._at
        listed = self._text.startswith("[[", start)
        self._at += 2 if listed else 1
        path = self._key("", start)
        self._at = self._text.index("]", self._at) + (2 if listed else 1)
        if listed:
            count = self._listed.get(path, 0)
            self._listed[path] = count + 1
            path = f"{path}[{count}]"
            self._note(path, start)
        return path

    def _key(self, path: str, start: int) -> str:
        """Reads a dotted key below a path; returns the path of what it names."""
        while True:
            if path in self._listed:
                path = f"{path}[{self._listed[path] - 1}]"
            self._skip()
            quoted = _QUOTED.match(self._text, self._at)
            name = quoted or _BARE_KEY.match(self._text, self._at)
            if name is None:
                return path
            plain = tomllib.loads(f"key = {name[0]}")["key"] if quoted else name[0]
            path = f"{path}.{plain}" if path else plain
            self._note(path, start)
            self._at = name.end()
            self._skip()
            if self._text[self._at] != ".":
                return path
            self._at += 1

    def _pair(self, table: str) -> None:
        path = self._key(table, self._at)
        self._at = self._text.index("=", self._at) + 1
        self._value(path)

    def _value(self, path: str) -> None:
        self._skip()
        self._note(path, self._at)
        opening = self._text[self._at]
        if opening not in "[{":
            match = (_QUOTED if opening in "\"'" else _SCALAR).match(self._text, self._at)
            self._at = match.end() if match else len(self._text)
            return
        self._at += 1
        index = 0
        while self._skip() and self._text[self._at] not in "]}":
            if opening == "[":
                self._value(f"{path}[{index}]")
                index += 1
            else:
                self._pair(path)
        self._at += 1
