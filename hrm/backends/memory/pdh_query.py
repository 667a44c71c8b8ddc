"""Windows' performance counters (pdh.dll) through ctypes: all instances of a path. Not run on hardware."""

import ctypes
from typing import Any, Literal

_FORMATS = {"large": 0x400, "real": 0x200}  # PDH_FMT_LARGE and PDH_FMT_DOUBLE
_MORE_DATA = 0x800007D2
_GOOD = (0, 1)  # PDH_CSTATUS_VALID_DATA and PDH_CSTATUS_NEW_DATA


class _Number(ctypes.Union):
    _fields_ = (("large", ctypes.c_int64), ("real", ctypes.c_double))


class _Value(ctypes.Structure):
    _anonymous_ = ("number",)
    _fields_ = (("status", ctypes.c_uint32), ("number", _Number))


class Item(ctypes.Structure):
    """PDH_FMT_COUNTERVALUE_ITEM_W: an instance's name and its value."""

    _fields_ = (("name", ctypes.c_wchar_p), ("value", _Value))


class CounterQuery:
    """A path of counters in English, `*` for all instances. Rates need two readings some time apart."""

    def __init__(self, library: Any, path: str) -> None:
        """Opens the query.

        Raises:
            OSError: Windows does not have these counters.
        """
        self._pdh, self._query, self._counter = library, ctypes.c_void_p(), ctypes.c_void_p()
        if library.PdhOpenQueryW(None, None, ctypes.byref(self._query)):
            raise OSError(f"Windows opens no query for {path}")
        if library.PdhAddEnglishCounterW(self._query, path, None, ctypes.byref(self._counter)):
            self.close()
            raise OSError(f"Windows has no counters {path}")

    def read(self, form: Literal["large", "real"]) -> list[tuple[str, float]]:
        """Returns names and values of the instances that have one now; none where Windows refuses."""
        if self._pdh.PdhCollectQueryData(self._query):
            return []
        size, count = ctypes.c_uint32(0), ctypes.c_uint32(0)
        arguments = (self._counter, _FORMATS[form], ctypes.byref(size), ctypes.byref(count))
        if self._pdh.PdhGetFormattedCounterArrayW(*arguments, None) & 0xFFFFFFFF != _MORE_DATA:
            return []
        buffer = ctypes.create_string_buffer(size.value)
        if self._pdh.PdhGetFormattedCounterArrayW(*arguments, buffer):
            return []
        items = ctypes.cast(buffer, ctypes.POINTER(Item))
        return [
            (items[index].name or "", getattr(items[index].value, form))
            for index in range(count.value)
            if items[index].value.status in _GOOD
        ]

    def close(self) -> None:
        self._pdh.PdhCloseQuery(self._query)
