"""Prompted language models: behind an endpoint, in a GGUF file, or as a checkpoint of transformers."""
