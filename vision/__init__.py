"""From pixels to a `FightView`: knows nothing of the rules, of torch or of Qt."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else ONNX Runtime 1.29 and later sends usage reports by itself
