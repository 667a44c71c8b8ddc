"""Rewrites calls that insist on a CUDA card into calls that run on AMD's, or on the CPU without a card.

ROCm's torch answers to "cuda", so names stay; what changes is that a missing card is no error.
"""

import ast
import re
from collections.abc import Iterator

from hrm.message import say
from hrm.migrate.source import Rewritten, SourceFile, dotted

HAS_CARD = "torch.cuda.is_available()"
_DEVICE_STRING = re.compile(r"cuda(:\d+)?")
_DEVICE_KEYWORDS = {"device", "map_location"}
_GUARDED = {
    "torch.cuda.set_device",
    "torch.cuda.synchronize",
    "torch.cuda.reset_peak_memory_stats",
    "torch.cuda.reset_max_memory_allocated",
    "torch.cuda.init",
}
_NEED_A_CARD = {
    "torch.cuda.get_device_name",
    "torch.cuda.get_device_properties",
    "torch.cuda.get_device_capability",
    "torch.cuda.current_device",
    "torch.cuda.mem_get_info",
    "torch.cuda.Stream",
    "torch.cuda.Event",
    "torch.cuda.current_stream",
}
_AUTOCAST = {
    "torch.autocast",
    "torch.amp.autocast",
    "torch.amp.GradScaler",
    "torch.amp.autocast_mode.autocast",
}
_PLACES = ("device_ids", "output_device")
_TENSOR_TYPE = re.compile(r"torch\.cuda\.\w+Tensor")


def adapt(text: str) -> Rewritten:
    """Rewrites a file's text.

    Raises:
        SyntaxError: it is no Python that this version reads.
    """
    source = SourceFile(text)
    amp = _amp_imports(source)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            _call(source, node, amp)
        elif isinstance(node, ast.Attribute) and _TENSOR_TYPE.fullmatch(dotted(node)):
            source.note(
                node,
                say("{name} exists on a card only: use torch.tensor(..., device=...)", name=dotted(node)),
            )
        elif isinstance(node, ast.expr) and _is_device_string(node):
            _string(source, node)
    return source.rewritten()


def _call(source: SourceFile, call: ast.Call, amp: dict[str, str]) -> None:
    name = dotted(call.func)
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "cuda"
        and not name.startswith("torch.cuda")
    ):
        _to_card(source, call, call.func)
    elif name == "torch.device":
        _device_call(source, call)
    elif name in ("torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler") or name in amp:
        _amp_call(source, call, amp.get(name) or name.rsplit(".", 1)[1], imported=name in amp)
    elif name in _GUARDED:
        _guard(source, call)
    elif name in _NEED_A_CARD and not _is_guarded(source, call):
        source.note(call, say("{name} fails where there is no card", name=name))
    elif name.rsplit(".", 1)[-1] in ("DistributedDataParallel", "DDP"):
        for keyword in call.keywords:
            if keyword.arg in _PLACES and not isinstance(keyword.value, ast.Constant | ast.IfExp):
                source.wrap(keyword.value, "", f" if {HAS_CARD} else None")


def _to_card(source: SourceFile, call: ast.Call, attribute: ast.Attribute) -> None:
    """Turns `x.cuda(...)` into `x.to(_device(...))`."""
    source.replace(source.end(attribute.value), source.end(attribute), ".to")
    named = next((keyword for keyword in call.keywords if keyword.arg == "device"), None)
    if call.args:
        source.wrap(call.args[0], "_device(", ")")
    elif named is not None:
        source.replace(source.start(named), source.start(named.value), "_device(")
        source.replace(source.end(named.value), source.end(named.value), ")")
    elif call.keywords:
        source.replace(source.start(call.keywords[0]), source.start(call.keywords[0]), "_device(), ")
    else:
        source.replace(source.end(attribute), source.end(call), "(_device())")


def _device_call(source: SourceFile, call: ast.Call) -> None:
    """Turns `torch.device("cuda", n)` into `_device(n)`; the plain form keeps the name as its argument."""
    if not call.args or not _is_device_string(call.args[0]):
        return
    first = call.args[1] if len(call.args) > 1 else call.args[0]
    source.replace(source.start(call), source.start(first), "_device(")


def _amp_imports(source: SourceFile) -> dict[str, str]:
    """Moves `from torch.cuda.amp import ...` to torch.amp; returns what the names are called here."""
    names_here: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ImportFrom) or node.module != "torch.cuda.amp":
            continue
        if not {alias.name for alias in node.names} <= {"autocast", "GradScaler"}:
            source.note(node, "torch.cuda.amp is for cards only: import these names from torch.amp")
            continue
        names_here |= {alias.asname or alias.name: alias.name for alias in node.names}
        names = ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in node.names)
        source.replace(source.start(node), source.end(node), f"from torch.amp import {names}")
    return names_here


def _amp_call(source: SourceFile, call: ast.Call, what: str, *, imported: bool) -> None:
    """Gives `autocast` and `GradScaler` the type of the device, which torch.cuda.amp's took for granted."""
    if not imported:
        source.replace(source.start(call.func), source.end(call.func), f"torch.amp.{what}")
    lead = "_device().type"
    if not call.args and not call.keywords:
        source.replace(source.end(call.func), source.end(call), f"({lead})")
        return
    enabled = "enabled=" if what == "autocast" and call.args else ""
    if len(call.args) > 1 and what == "autocast":
        source.note(call, "autocast's arguments after the first are in another order in torch.amp: name them")
    places = [*map(source.start, call.args), *map(source.start, call.keywords)]
    first = min(places)
    source.replace(first, first, f"{lead}, {enabled}")


def _guard(source: SourceFile, call: ast.Call) -> None:
    """Puts a call that fails without a card behind a question for one."""
    statement = source.parent(call)
    if _is_guarded(source, call):
        return
    if not isinstance(statement, ast.Expr):
        source.note(call, say("{name} fails where there is no card", name=dotted(call.func)))
        return
    start = source.start(statement)
    if source.stands_alone(statement):
        indent = " " * statement.col_offset
        source.replace(start, start, f"if {HAS_CARD}:\n{indent}    ")
    else:
        source.replace(start, start, f"{HAS_CARD} and ")


def _is_guarded(source: SourceFile, node: ast.AST) -> bool:
    return any(
        "is_available"
        in ast.dump(around.test if isinstance(around, ast.If | ast.IfExp) else around.values[0])
        for around in _around(source, node)
        if isinstance(around, ast.If | ast.IfExp | ast.BoolOp)
    )


def _around(source: SourceFile, node: ast.AST) -> Iterator[ast.AST]:
    parent = source.parent(node)
    while parent is not None:
        yield parent
        parent = source.parent(parent)


def _string(source: SourceFile, node: ast.expr) -> None:
    """Wraps a device's name where one is wanted: an argument, a variable or a default of that name."""
    parent = source.parent(node)
    if isinstance(parent, ast.keyword):
        call = source.parent(parent)
        if parent.arg in _DEVICE_KEYWORDS:
            source.wrap(node, "_device(", ")")
        elif parent.arg == "device_type":
            source.wrap(node, "_device(", ").type")
        elif parent.arg == "default" and isinstance(call, ast.Call) and _is_device_option(call):
            source.wrap(node, "str(_device(", "))")
    elif isinstance(parent, ast.Call) and parent.args and parent.args[0] is node:
        if isinstance(parent.func, ast.Attribute) and parent.func.attr == "to":
            source.wrap(node, "_device(", ")")
        elif dotted(parent.func) in _AUTOCAST:
            source.wrap(node, "_device(", ").type")
    elif _is_device_variable(parent, node):
        source.wrap(node, "str(_device(", "))")


def _is_device_variable(parent: ast.AST | None, node: ast.expr) -> bool:
    if isinstance(parent, ast.Assign):
        return any("device" in dotted(target).lower() for target in parent.targets)
    if isinstance(parent, ast.AnnAssign):
        return "device" in dotted(parent.target).lower()
    if isinstance(parent, ast.arguments):
        positional = [*parent.posonlyargs, *parent.args]
        pairs = [
            *zip(positional[len(positional) - len(parent.defaults) :], parent.defaults, strict=True),
            *zip(parent.kwonlyargs, parent.kw_defaults, strict=True),
        ]
        return any(default is node and "device" in argument.arg for argument, default in pairs)
    return False


def _is_device_option(call: ast.Call) -> bool:
    return any(isinstance(arg, ast.Constant) and "device" in str(arg.value) for arg in call.args)


def _is_device_string(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _DEVICE_STRING.fullmatch(node.value) is not None
    if isinstance(node, ast.JoinedStr) and len(node.values) == 2:
        first = node.values[0]
        return isinstance(first, ast.Constant) and first.value == "cuda:"
    return False
