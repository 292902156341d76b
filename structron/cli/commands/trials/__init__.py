"""Commands that train many times: `tune` and `curve`."""
