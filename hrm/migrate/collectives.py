"""Rewrites the choice of NCCL: RCCL where torch has it (ROCm keeps the name "nccl"), Gloo elsewhere."""

import ast

from hrm.message import say
from hrm.migrate.calls import HAS_CARD
from hrm.migrate.source import Rewritten, SourceFile, dotted

_CHOICE = f' if {HAS_CARD} and torch.distributed.is_nccl_available() else "gloo"'


def adapt(text: str) -> Rewritten:
    """Rewrites a file's text.

    Raises:
        SyntaxError: it is no Python that this version reads.
    """
    source = SourceFile(text)
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if node.value == "nccl" and _is_choice(source, node):
            source.wrap(node, "(", f"{_CHOICE})")
        elif node.value.startswith("NCCL_") and node.value.isupper():
            source.note(node, say("RCCL reads {name} too; check its value, or take it out", name=node.value))
    return source.rewritten()


def _is_choice(source: SourceFile, node: ast.Constant) -> bool:
    """Tells whether a name of a backend is one that is chosen, not one that is compared with."""
    parent = source.parent(node)
    if isinstance(parent, ast.keyword):
        call = source.parent(parent)
        option = isinstance(call, ast.Call) and any("backend" in ast.dump(arg) for arg in call.args)
        return parent.arg == "backend" or (parent.arg == "default" and option)
    if isinstance(parent, ast.Call):
        return dotted(parent.func).endswith(("init_process_group", "new_group"))
    if isinstance(parent, ast.Assign):
        return any("backend" in dotted(target).lower() for target in parent.targets)
    return isinstance(parent, ast.AnnAssign) and "backend" in dotted(parent.target).lower()
