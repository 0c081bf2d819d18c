"""Models in the ONNX format, run in this process (extra ``onnx``)."""
