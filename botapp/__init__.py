"""The app: composition of vision, rules, advisor and model happens only in this package.

`create_advisor` is the way in from Python; it is fetched on first use, so that `import botapp` loads no
torch.
"""

import os
from typing import TYPE_CHECKING, Any

# Libraries that report usage by themselves are switched off before any of them can be imported:
# ONNX Runtime 1.29 and later decides as it is imported. Child processes inherit both (docs/security.md).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

if TYPE_CHECKING:
    from botapp.advisor.advisor import create_advisor

__all__ = ["create_advisor"]


def __getattr__(name: str) -> Any:
    if name == "create_advisor":
        from botapp.advisor.advisor import create_advisor  # noqa: PLC0415

        return create_advisor
    raise AttributeError(f"module 'botapp' has no attribute {name!r}")
