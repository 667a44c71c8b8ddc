"""The app: composition of vision, rules, advisor and model happens only in this package.

`create_advisor` is the way in from Python; it is fetched on first use, so that `import botapp` loads no
torch.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from botapp.advisor.advisor import create_advisor

__all__ = ["create_advisor"]


def __getattr__(name: str) -> Any:
    if name == "create_advisor":
        from botapp.advisor.advisor import create_advisor  # noqa: PLC0415

        return create_advisor
    raise AttributeError(f"module 'botapp' has no attribute {name!r}")
