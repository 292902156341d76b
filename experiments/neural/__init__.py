"""Neural scores under the engine's searches: PyTorch is needed, an accelerator helps."""
