"""Recognises one line of text at a time, by the recognition model in RapidOCR's wheel.

Only the model's file is used: RapidOCR itself is not imported, finds no rows and fetches nothing. The model
knows 18,708 characters; those that French, English, Spanish, Portuguese and German need are looked at.
"""

import importlib.util
import re
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision import session
from vision.message import say

Picture = npt.NDArray[np.uint8]

MODEL = Path("models", "PP-OCRv6_rec_small.onnx")
_HEIGHT, _STEP, _WIDEST = 48, 16, 1600
_NARROWER = 0.8  # Lines are made narrower by this before they are read: cheaper by as much, and as well read
_NUMBERS, _AMOUNTS = re.compile(r"([-–−]?)\s?(\d+)"), re.compile(r"(?<![(\d])\d+")
_BELOW_NOUGHT = ("-", "–", "−")
_AROUND, _WIDER = 0.8, 1.2
_LETTERS = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "àáâãäåæçèéêëìíîïñòóôõöùúûüýÿœßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝŒ"
    " .,:;!?¡¿'’\"()[]{}+-–*/%&#@=<>«»_…°"
)


class TextEngineError(Exception):
    """No text can be read here; the message says what is missing and the remedy."""


@dataclass(frozen=True, slots=True)
class TextSeen:
    """A line of text as recognised."""

    text: str
    sure: tuple[float, ...]  # The model's confidence in each of them, 0..1, as many as characters
    at: tuple[float, ...] = ()  # Where the middle of each of them lies in the picture's width, 0..1

    def least(self, start: int = 0, end: int | None = None) -> float:
        """Returns the smallest confidence of the characters from `start` to `end`, 1 where there are none."""
        return min(self.sure[start:end], default=1.0)


NO_TEXT = TextSeen("", ())


def model_path() -> Path:
    """Returns where the recognition model lies.

    Raises:
        TextEngineError: the package that holds it is not installed, or is another version of it.
    """
    spec = importlib.util.find_spec("rapidocr")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if hasattr(sys, "_MEIPASS"):  # the bundle holds the file alone
        folders.append(str(Path(sys._MEIPASS, "rapidocr")))
    path = next((Path(folder) / MODEL for folder in folders if (Path(folder) / MODEL).is_file()), None)
    if path is None:
        raise TextEngineError(
            say("The model that reads text is missing ({file}). Install botapp anew.", file=MODEL.name)
        )
    return path


class TextEngine:
    """Recognises lines. For one thread; a line takes it some 30 to 100 ms of one core.

    Args:
        path: the ONNX model, the one in RapidOCR's wheel if left out.

    Raises:
        TextEngineError: the model is missing or cannot be run.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or model_path()
        try:
            self._session = session.opened(path)
        except Exception as error:  # onnxruntime raises a class of its own for each fault
            problem = f"{type(error).__name__}: {error}"
            raise TextEngineError(
                say("The model that reads text cannot be used: {problem}", problem=problem)
            ) from error
        self._input = self._session.get_inputs()[0].name
        characters = self._session.get_modelmeta().custom_metadata_map.get("character", "").splitlines()
        places = {character: place for place, character in enumerate(["", *characters, " "])}
        known = [letter for letter in _LETTERS if letter in places]
        self._classes = np.array([0, *(places[letter] for letter in known)])
        self._letters = ["", *known]

    def read(self, line: Picture) -> TextSeen:
        """Returns the text of one line.

        Args:
            line: BGR, uint8, shape (height, width, 3), cut to the line and a little around it.
        """
        if min(line.shape[:2]) < 2:
            return NO_TEXT
        picture, share = prepared(line)
        scores = self._session.run(None, {self._input: picture})[0][0]
        return _decoded(np.asarray(scores, np.float32), self._classes, self._letters, share)


def prepared(line: Picture) -> tuple[npt.NDArray[np.float32], float]:
    """Returns a line as the model takes it, and which share of that the line itself is.

    The first is float32 of shape (1, 3, 48, width), -1..1.
    """
    height, width = line.shape[:2]
    wide = min(_WIDEST, max(_STEP, round(_NARROWER * width * _HEIGHT / height)))
    how = cv2.INTER_CUBIC if height < _HEIGHT else cv2.INTER_AREA
    scaled = cv2.resize(line, (wide, _HEIGHT), interpolation=how).astype(np.float32)
    room = -(-wide // _STEP) * _STEP
    padded = np.zeros((1, 3, _HEIGHT, room), np.float32)
    padded[0, :, :, :wide] = scaled.transpose(2, 0, 1) / 127.5 - 1.0
    return padded, wide / room


def _decoded(
    scores: npt.NDArray[np.float32], classes: npt.NDArray[np.int_], letters: list[str], share: float
) -> TextSeen:
    """Returns the text of the likeliest character of each step, repetitions and blanks taken out (CTC).

    Args:
        scores: probability of each character at each step, shape (steps, characters).
        classes: the characters that are looked at, the blank first.
        share: how much of the steps' width is the line's.
    """
    narrow = scores[:, classes]
    best = narrow.argmax(axis=1)
    read: list[tuple[int, float, int]] = []
    before = 0
    for step, (place, confidence) in enumerate(zip(best.tolist(), narrow.max(axis=1).tolist(), strict=True)):
        if place and place == before:
            if confidence > read[-1][1]:
                read[-1] = place, confidence, step
        elif place:
            read.append((place, confidence, step))
        before = place
    wide = len(best) * share
    return TextSeen(
        "".join(letters[place] for place, _, _ in read),
        tuple(sure for _, sure, _ in read),
        tuple(min(1.0, (step + 0.5) / wide) for _, _, step in read),
    )


def doubted(engine: TextEngine, line: Picture, seen: TextSeen, start: int = 0) -> TextSeen:
    """Returns a line's text with confidence 0 for numbers that are others when they are looked at alone.

    A digit that is lost or doubled, or a minus that is lost, looks sure to the model: cut out and made wider,
    it is not.

    Args:
        start: the first character that matters, such as the one after the time.
    """
    sure = list(seen.sure)
    width, height = line.shape[1], line.shape[0]
    for match in _AMOUNTS.finditer(seen.text, start):
        first, last = match.span()
        left = round(seen.at[first] * width - _AROUND * height)
        right = round(seen.at[last - 1] * width + _AROUND * height)
        part = line[:, max(0, left) : right]
        if min(part.shape[:2]) < 2:
            continue
        wider = cv2.resize(part, None, fx=_WIDER, fy=1.0, interpolation=cv2.INTER_CUBIC)
        again = _NUMBERS.findall(engine.read(np.asarray(wider, np.uint8)).text)
        signs = {sign for sign, digits in again if digits == match.group()}
        if not signs or ("" not in signs and not seen.text[:first].rstrip().endswith(_BELOW_NOUGHT)):
            sure[first:last] = [0.0] * (last - first)
    return replace(seen, sure=tuple(sure))


@lru_cache(maxsize=1)
def engine() -> TextEngine:
    """Returns the engine, loaded once a process (0.3 s).

    Raises:
        TextEngineError: there is none.
    """
    return TextEngine()
