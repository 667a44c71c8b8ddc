"""Writes a model's step as an ONNX file, operator by operator."""
