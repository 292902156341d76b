"""The limits of one request, and of all together."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True)
class Limits:
    """The limits beyond which requests are refused.

    Attributes
    ----------
    body
        Bytes of a request's body; of a stream, of each line.
    inputs
        Inputs of one request.
    longest
        Words of a sentence, or symbols of a word that is rewritten. A chart takes time that grows with the
        third power of this, and the engine cannot be stopped half-way.
    text
        Words of a text in which sentences are found, or that gets a label.
    queue
        Inputs that may wait for the engine; further requests are refused and may ask again.
    seconds
        How long a client may take to ask, and how long it waits for its answer.
    headers
        Bytes before the body.
    requests
        Requests under way at a time; further ones are refused, on a connection that stays.
    connections
        How many clients at a time. It is some way above `requests`: a connection that is closed has to be
        made again, which costs more than an answer.
    kbest
        Outputs of one input.
    """

    body: int = 1024 * KIB
    inputs: int = 1000
    longest: int = 256
    text: int = 5000
    queue: int = 4000
    seconds: float = 30.0
    headers: int = 32 * KIB
    requests: int = 512
    connections: int = 2048
    kbest: int = 100
