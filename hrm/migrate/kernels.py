"""Translates CUDA C++ sources to HIP with torch's own translator (`torch.utils.hipify`).

It works on files, so it gets copies, and its results are read back.
"""

import contextlib
import io
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath


def hipify(sources: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Translates sources.

    Returns:
        By source, the new file's path and text: kernels/scale.cu becomes kernels/scale.hip. A source in which
        there is nothing to translate is left out.
    """
    from torch.utils.hipify.hipify_python import hipify as translate  # noqa: PLC0415 - loads torch

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in sources.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            translated = translate(
                project_directory=str(root),
                output_directory=str(root),
                extra_files=[str(root / name) for name in sources],
                is_pytorch_extension=True,
                show_progress=False,
            )
        results: dict[str, tuple[str, str]] = {}
        for name in sources:
            result = translated.get(str(root / name))
            if result is None or result.hipified_path is None or result.hipified_path == str(root / name):
                continue
            made = Path(result.hipified_path)
            results[name] = (PurePosixPath(made.relative_to(root)).as_posix(), made.read_text("utf-8"))
        return results
