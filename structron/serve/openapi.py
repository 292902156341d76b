"""The OpenAPI description of bodies, which are parsed by hand: FastAPI cannot see them."""

from __future__ import annotations

from typing import Any

SERVER = (
    "Models of structron behind HTTP. What an input and an output look like depends on the model's task; "
    'GET /models tells. Errors are objects with one sentence: {"error": "where: what; what next"}. '
    "A queue that is full answers 503 with Retry-After."
)

_ANY: dict[str, Any] = {"description": "As the model's task has it, see GET /models."}
_ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}


def _json(schema: dict[str, Any], description: str, kind: str = "application/json") -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def _errors(**said: str) -> dict[int | str, dict[str, Any]]:
    return {name.removeprefix("s"): _json(_ERROR, description) for name, description in said.items()}


_REFUSALS = _errors(
    s400="Not JSON, or not UTF-8.",
    s401="A token is needed.",
    s404="There is no such model.",
    s409="The model is for another task.",
    s413="The body, the list of inputs or one of them is too long.",
    s415="The body is of another type.",
    s422="An input or a field is not as the model takes it.",
    s503="The queue is full; ask again after the seconds in Retry-After.",
    s504="No answer in time.",
)

_REQUEST = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "model": {"type": "string", "description": "Its name; may be left out where there is one alone."},
        "task": {"type": "string", "description": "Refused with 409 if the model is for another."},
        "input": _ANY,
        "inputs": {"type": "array", "items": _ANY},
        "kbest": {"type": "integer", "minimum": 1, "description": "So many outputs, with their scores."},
    },
    "example": {"inputs": [["Time", "flies", "."]]},
}
PREDICT: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": _REQUEST}}}
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: _json(
        {
            "type": "object",
            "properties": {
                "model": {"type": "string"},
                "version": {"type": "integer", "description": "How often the model was loaded."},
                "task": {"type": "string"},
                "output": _ANY,
                "outputs": {"type": "array", "items": _ANY},
                "warning": {"type": "string", "description": "Of what the model has never seen, if any."},
            },
        },
        "The output, or the outputs in the order of the inputs.",
    ),
    **_REFUSALS,
}

_LINES = {"type": "string", "description": 'Lines: an input, or {"input": ..., "kbest": 3}.'}
STREAM: dict[str, Any] = {
    "parameters": [
        {"name": "model", "in": "query", "schema": {"type": "string"}},
        {"name": "task", "in": "query", "schema": {"type": "string"}},
    ],
    "requestBody": {"required": True, "content": {"application/x-ndjson": {"schema": _LINES}}},
}
STREAM_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: _json(
        {"type": "string"},
        'Lines: {"output": ..., "warning": ...} or {"error": ..., "status": ...}.',
        "application/x-ndjson",
    ),
    **_REFUSALS,
}

HEALTH: dict[int | str, dict[str, Any]] = {200: _json({"type": "object"}, "It lives.")}
MODELS: dict[int | str, dict[str, Any]] = {200: _json({"type": "object"}, "All models.")}
MODEL: dict[int | str, dict[str, Any]] = {
    200: _json({"type": "object"}, "The model."),
    **_errors(s404="There is no such model."),
}
RELOADED = MODEL | _errors(s403="Reloading needs a token.")
METRICS: dict[int | str, dict[str, Any]] = {
    200: _json({"type": "string"}, "Prometheus' text format.", "text/plain")
}
