"""Rewrites imports of FlashAttention into functions of the same name on torch's own attention (SDPA).

The package `flash_attn` is CUDA's (AMD's fork must be built by hand); torch's attention picks what the card
has. What has no counterpart is left and noted.
"""

import ast
import textwrap

from hrm.message import say
from hrm.migrate.source import Rewritten, SourceFile

_SHARED = '''\
def _attend(q, k, v, dropout_p, softmax_scale, causal, unknown):
    """Attention as FlashAttention computes it: (batch, length, heads, width), causal from the end."""
    if any(value not in (None, False, (-1, -1), 0.0) for value in unknown.values()):
        raise NotImplementedError(f"torch's attention has no {', '.join(unknown)}")
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    mask = None
    if causal and q.shape[2] != k.shape[2]:
        mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device)
        mask, causal = mask.tril(k.shape[2] - q.shape[2]), False
    if k.shape[1] != q.shape[1]:
        k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    mixed = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, dropout_p=dropout_p, is_causal=causal, scale=softmax_scale
    )
    return mixed.transpose(1, 2)
'''
_FUNCTIONS = {
    "flash_attn_func": """\
def {name}(q, k, v, dropout_p=0.0, softmax_scale=None, causal=False, **unknown):
    return _attend(q, k, v, dropout_p, softmax_scale, causal, unknown)
""",
    "flash_attn_qkvpacked_func": """\
def {name}(qkv, dropout_p=0.0, softmax_scale=None, causal=False, **unknown):
    return _attend(*qkv.unbind(2), dropout_p, softmax_scale, causal, unknown)
""",
    "flash_attn_kvpacked_func": """\
def {name}(q, kv, dropout_p=0.0, softmax_scale=None, causal=False, **unknown):
    return _attend(q, *kv.unbind(2), dropout_p, softmax_scale, causal, unknown)
""",
}


def adapt(text: str) -> Rewritten:
    """Rewrites a file's text.

    Raises:
        SyntaxError: it is no Python that this version reads.
    """
    source = SourceFile(text)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "flash_attn":
            _import(source, node)
        elif isinstance(node, ast.Import) and any(a.name.split(".")[0] == "flash_attn" for a in node.names):
            source.note(node, say("import flash_attn: import its functions by name, then migrate again"))
    return source.rewritten()


def _import(source: SourceFile, node: ast.ImportFrom) -> None:
    known = [alias for alias in node.names if alias.name in _FUNCTIONS]
    others = [alias for alias in node.names if alias.name not in _FUNCTIONS]
    if others:
        names = ", ".join(alias.name for alias in others)
        source.note(
            node,
            say(
                "{names} of {module} has no counterpart in torch: rewrite it by hand",
                names=names,
                module=node.module,
            ),
        )
    if not known:
        return
    definitions = [
        _SHARED,
        *(_FUNCTIONS[alias.name].format(name=alias.asname or alias.name) for alias in known),
    ]
    remaining = ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in others)
    left = f"from {node.module} import {remaining}" if others else ""
    if node in source.tree.body and source.stands_alone(node):
        source.define("\n\n".join(definitions))
        if left:
            source.replace(source.start(node), source.end(node), left)
        else:
            source.remove_line(node)
        return
    code = "\n".join([*([left] if left else []), "import torch\n", *definitions])
    indented = textwrap.indent(code.rstrip("\n"), " " * node.col_offset)
    source.replace(source.start(node), source.end(node), indented.lstrip(" "))


def uses_flash(text: str) -> bool:
    return any(
        "flash_attn" in (getattr(node, "module", "") or "")
        or any("flash_attn" in alias.name for alias in getattr(node, "names", ()))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
