"""Opens ONNX models on one thread of the processor: the text's, and that of the fighters' rings."""

from pathlib import Path
from typing import Any


def opened(model: Path | bytes) -> Any:
    """Returns an ONNX Runtime session.

    Raises:
        Exception: onnxruntime is missing, or cannot use the model; it has a class of its own for each fault.
    """
    import onnxruntime as ort  # noqa: PLC0415  takes a quarter of a second, and most processes need no model

    ort.disable_telemetry_events()  # Windows' own event log, which ORT_DISABLE_TELEMETRY does not cover
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # 5 % slower at most, and memory goes back after each picture
    source = model if isinstance(model, bytes) else str(model)
    return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
