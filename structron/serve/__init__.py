"""`structron serve`: models behind HTTP, and the playground.

Needs the extra ``structron[serve]``. From a request to its answer: `guard` (who may ask, how much, how long),
`asking` (JSON to inputs), `forms` (what each task takes and gives), `gathering` (requests into engine
batches), `shelf` (models by name), `app` (the routes), `running` (the process). `play` is the playground.
"""
