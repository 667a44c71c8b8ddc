"""Small JSON files that are kept between runs, written whole or not at all.

Next hop: `hrm.backends.probing.probe` keeps what a probe found, `hrm.backends.bench.tuning` which engine was the fastest.
"""

import json
import os
from pathlib import Path


def write(path: Path, values: object) -> None:
    """Writes plain values as JSON through a temporary file beside it, making the folder.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary.write_text(json.dumps(values, indent=1), encoding="utf-8")
    temporary.replace(path)
