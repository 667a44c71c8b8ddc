"""One editor for each kind of setting; from outside all are alike: a value, and a signal when it changed."""

from PySide6.QtCore import QPointF, QRectF, QRegularExpression, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QRegularExpressionValidator,
    QStandardItemModel,
    QValidator,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QColorDialog,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from botapp.content.knowledge.base import knowledge
from botapp.content.knowledge.entry import EntryKind
from botapp.host.clients import CLIENTS
from botapp.host.settings import SettingOption, Value
from botapp.host.translation import languages
from botapp.ui import theme
from botapp.ui.painting import outlined, rounded
from botapp.ui.translation import language, mark, own_name, tr, tr_counted
from botapp.ui.widgets.labels import name

_GROOVE = QSize(24, 12)
_HANDLE = 14
_EDGE = 4  # Room around the groove on each side, in pixels: half of it for the handle, the rest for the focus


class Switch(QAbstractButton):
    """A button that stays on or off, drawn as a handle in a groove."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return _GROOVE + QSize(2 * _EDGE, 2 * _EDGE)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        on = self.isChecked()
        groove = QRectF(0, 0, _GROOVE.width(), _GROOVE.height())
        groove.moveCenter(QRectF(self.rect()).center())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        rounded(painter, groove, theme.colour("accent", 0.8) if on else theme.colour("faint", 0.5))
        across = groove.right() - groove.height() / 2 if on else groove.left() + groove.height() / 2
        painter.setBrush(theme.colour("text"))
        painter.drawEllipse(QPointF(across, groove.center().y()), _HANDLE / 2, _HANDLE / 2)
        if self.hasFocus():
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            outlined(painter, ring, QPen(theme.colour("info"), 1.5), 6)
        painter.end()


WIDTH = 230
_MARGINS = (7, 0, 0, 0)
NOTHING = {
    "engine.think_on_s": mark("Not at all"),
    "engine.memory_cap_mb": mark("No limit"),
    "engine.cpu_threads": mark("Automatic"),
}
"""What 0 means, by the option's key."""
CHOICES = {
    "auto": mark("Automatic"),
    "search": mark("The search alone"),
    "model": mark("The model with the search"),
    "rocm": "ROCm (AMD)",
    "cuda": "CUDA (NVIDIA)",
    "directml": "DirectML (Windows)",
    "cpu": mark("Processor (CPU)"),
    **CLIENTS,
    "conservative": mark("Conservative"),
    "balanced": mark("Balanced"),
    "aggressive": mark("Aggressive"),
    "minimal": mark("Minimal"),
    "full": mark("Full"),
    "player": mark("Player"),
    "reasoning": mark("Reasoning"),
    "engineer": mark("Engineer"),
    "system": mark("Like the system"),
    "dark": mark("Dark"),
    "light": mark("Light"),
}
UNITS = {"fps": mark("pictures/s"), "MB": mark("MB")}


def unit_of(unit: str, number: int) -> str:
    if unit == "steps":
        return tr_counted(number, "step", "steps")
    if unit == "cores":
        return tr_counted(number, "core", "cores")
    return tr(UNITS.get(unit, unit))


class Editor(QWidget):
    """Edits one option.

    Signals:
        edited: the person changed the value; carries the new one.
    """

    edited = Signal(object)

    def __init__(self, option: SettingOption) -> None:
        super().__init__()
        self.option = option
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedWidth(WIDTH)

    def set_value(self, value: Value) -> None:
        """Shows a value without a signal."""
        raise NotImplementedError

    def _tell(self, value: Value) -> None:
        self.edited.emit(value)


class SwitchEditor(Editor):
    """On or off."""

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        self.switch = Switch()
        self.switch.setAccessibleName(tr(option.title))
        self.row.addWidget(self.switch)
        self.switch.toggled.connect(self._tell)

    def set_value(self, value: Value) -> None:
        with QSignalBlocker(self.switch):
            self.switch.setChecked(bool(value))


class NumberEditor(Editor):
    """A whole number within limits."""

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        self.spin = QSpinBox()
        self.spin.setRange(int(option.minimum or 0), int(option.maximum or 999_999))
        self.spin.setSpecialValueText(tr(NOTHING.get(option.key, "")))
        self.spin.valueChanged.connect(self._show_unit)
        self._show_unit(self.spin.value())
        self.spin.setKeyboardTracking(False)
        self.spin.setMinimumWidth(150)
        self.spin.lineEdit().setTextMargins(*_MARGINS)
        self.row.addWidget(self.spin)
        self.spin.valueChanged.connect(self._tell)

    @Slot(int)
    def _show_unit(self, number: int) -> None:
        if self.option.unit:
            self.spin.setSuffix(f" {unit_of(self.option.unit, number)}")

    def set_value(self, value: Value) -> None:
        with QSignalBlocker(self.spin):
            self.spin.setValue(int(value))
            self._show_unit(int(value))


class DecimalBox(QDoubleSpinBox):
    """A number with decimals that takes a point and a comma alike, whatever the language writes."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Returns whether a text is a number, as Qt asks for it."""
        return super().validate(self._in_language(text), place)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(self._in_language(text))

    def _in_language(self, text: str) -> str:
        point = self.locale().decimalPoint()
        return text.replace(".", point).replace(",", point)


class FractionEditor(Editor):
    """A number with decimals within limits: a slider and a figure."""

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        low, high = option.minimum or 0.0, option.maximum or 1.0
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(round(low * 100), round(high * 100))
        self.spin = DecimalBox()
        self.spin.setRange(low, high)
        self.spin.setSingleStep(0.05)
        self.spin.setDecimals(2)
        self.spin.setFixedWidth(84)
        self.spin.lineEdit().setTextMargins(*_MARGINS)
        self.spin.setKeyboardTracking(False)
        self.row.addWidget(self.slider, 1)
        self.row.addWidget(self.spin)
        self.slider.valueChanged.connect(self._slid)
        self.spin.valueChanged.connect(self._spun)

    def set_value(self, value: Value) -> None:
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            self.slider.setValue(round(float(value) * 100))
            self.spin.setValue(float(value))

    @Slot(int)
    def _slid(self, hundredths: int) -> None:
        self.set_value(hundredths / 100)
        self.edited.emit(hundredths / 100)

    @Slot(float)
    def _spun(self, value: float) -> None:
        self.set_value(round(value, 2))
        self.edited.emit(round(value, 2))


def _choice_text(option: SettingOption, value: str) -> str:
    if option.key == "ui.language" and value in languages():
        return own_name(value)
    return tr(CHOICES.get(value, value))


class ChoiceEditor(Editor):
    """One of a few; those that do not work here are greyed, with the reason as their tooltip."""

    def __init__(self, option: SettingOption, choices: tuple[str, ...] = ()) -> None:
        super().__init__(option)
        self.combo = QComboBox()
        self.combo.setFixedWidth(WIDTH)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(12)
        self.row.addWidget(self.combo)
        self.set_choices([(value, _choice_text(option, value)) for value in choices or option.choices])
        self.combo.currentIndexChanged.connect(self._picked)

    def set_choices(self, choices: list[tuple[str, str]]) -> None:
        """Offers other choices: (value, words)."""
        now = self.combo.currentData()
        with QSignalBlocker(self.combo):
            self.combo.clear()
            for value, text in choices:
                self.combo.addItem(text, value)
        if now is not None:
            self.set_value(now)

    def set_value(self, value: Value) -> None:
        """Shows a value without telling anyone; one that is not offered is added."""
        with QSignalBlocker(self.combo):
            if self.combo.findData(value) < 0:
                self.combo.addItem(str(value), value)
            self.combo.setCurrentIndex(self.combo.findData(value))

    def mark_choice(self, value: str, reason: str, *, usable: bool) -> None:
        model, index = self.combo.model(), self.combo.findData(value)
        if index >= 0 and isinstance(model, QStandardItemModel):
            model.item(index).setEnabled(usable)
            model.item(index).setToolTip(reason)

    @Slot(int)
    def _picked(self, index: int) -> None:
        self.edited.emit(self.combo.itemData(index))


class TextEditor(Editor):
    """A line of text, told when the person is done with it."""

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        self.line = QLineEdit()
        self.row.addWidget(self.line)
        self.line.editingFinished.connect(self._done)
        self._last = ""

    def set_value(self, value: Value) -> None:
        self._last = str(value)
        self.line.setText(self._last)

    @Slot()
    def _done(self) -> None:
        if self.line.text() != self._last:
            self._last = self.line.text()
            self.edited.emit(self._last)


class ColourEditor(TextEditor):
    """A colour as #rrggbb, with a button that opens the palette."""

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        self.line.setValidator(QRegularExpressionValidator(QRegularExpression("#[0-9a-fA-F]{6}"), self))
        self.button = QPushButton()
        self.button.setFixedSize(34, 30)
        name(self.button, tr("Choose a colour"))
        self.button.clicked.connect(self._choose)
        self.row.addWidget(self.button)

    def set_value(self, value: Value) -> None:
        super().set_value(value)
        self.button.setStyleSheet(f"background: {value};")

    @Slot()
    def _choose(self) -> None:
        colour = QColorDialog.getColor(QColor(self._last), self, tr("Choose a colour"))
        if colour.isValid():
            self.line.setText(colour.name())
            self._done()

    @Slot()
    def _done(self) -> None:
        super()._done()
        self.button.setStyleSheet(f"background: {self._last};")


class _KeyField(QKeySequenceEdit):
    """Takes one combination; Backspace empties it, Esc puts the last one back.

    Signals:
        recording: whether the next keys are for the field.
    """

    recording = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setMaximumSequenceLength(1)
        self.setClearButtonEnabled(True)
        self.editingFinished.connect(self.show_hint)
        self.show_hint()

    def call(self, text: str) -> None:
        self.setAccessibleName(text)
        line, clear = self.findChild(QLineEdit), self.findChild(QToolButton)
        if line is not None:
            line.setAccessibleName(text)
        if clear is not None:
            name(clear, tr("No key"))
        self.setToolTip(tr("Press the keys here; Backspace for none"))

    @Slot()
    def show_hint(self) -> None:
        """Says in an empty field that there is no key, in place of Qt's own words."""
        line = self.findChild(QLineEdit)
        if line is not None:
            line.setPlaceholderText(tr("None"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes a combination whole: Qt would empty the field first, and tell."""
        before, bare = self.keySequence(), event.keyCombination().toCombined()
        if bare in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.clear()
            self.show_hint()
            return
        with QSignalBlocker(self):
            if bare != Qt.Key.Key_Escape:
                super().keyPressEvent(event)
            if self.keySequence().isEmpty():
                self.setKeySequence(before)
        self.show_hint()
        if self.keySequence() != before:
            self.keySequenceChanged.emit(self.keySequence())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_hint()
        self.recording.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_hint()
        self.recording.emit(False)


class KeysEditor(Editor):
    """A combination of keys, pressed rather than typed.

    Signals:
        recording: whether the next keys are for the field, and for nothing else.
    """

    recording = Signal(bool)

    def __init__(self, option: SettingOption) -> None:
        super().__init__(option)
        self.field = _KeyField()
        self.field.call(tr(option.title))
        self.row.addWidget(self.field)
        self.field.keySequenceChanged.connect(self._pressed)
        self.field.recording.connect(self.recording)

    def set_value(self, value: Value) -> None:
        with QSignalBlocker(self.field):
            self.field.setKeySequence(QKeySequence(str(value), QKeySequence.SequenceFormat.PortableText))
        self.field.show_hint()

    @Slot(QKeySequence)
    def _pressed(self, sequence: QKeySequence) -> None:
        self.field.show_hint()
        self._tell(sequence.toString(QKeySequence.SequenceFormat.PortableText))


_KINDS: dict[str, type[Editor]] = {
    "bool": SwitchEditor,
    "int": NumberEditor,
    "float": FractionEditor,
    "choice": ChoiceEditor,
    "text": TextEditor,
    "colour": ColourEditor,
    "keys": KeysEditor,
}


def class_choices() -> list[tuple[str, str]]:
    """Returns the classes that can be played, the person's own first: key and name in the language in use."""
    entries = sorted(knowledge().entries(EntryKind.CLASS), key=lambda entry: not entry.own)
    return [(entry.key, entry.called(language())) for entry in entries]


def make_editor(option: SettingOption) -> Editor:
    if option.key == "engine.device":
        return ChoiceEditor(option, ("auto",))
    if option.key == "advisor.player_class":
        editor = ChoiceEditor(option)
        editor.set_choices([("", tr("Detected automatically")), *class_choices()])
        return editor
    return _KINDS[option.kind](option)
