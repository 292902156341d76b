"""`structron serve`: models behind HTTP, and the playground.

Needs the extra ``structron[serve]``. A request passes `timeouts` (connections), `guard` (who may ask, how
much, how long), `app` (the routes), `requests` (JSON to inputs), `json_forms` (what each task takes and
gives), `registry` (models by name) and `batching` (batches for the engine). `process` runs it all, and `play`
is the playground.
"""
