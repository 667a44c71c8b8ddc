"""The engines: each runs one ACT step, on torch or on ONNX Runtime."""
