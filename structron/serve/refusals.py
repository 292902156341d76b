"""Refusals: a status and one sentence."""

from __future__ import annotations

from structron.errors import one_line

BAD, DENIED, FORBIDDEN, UNKNOWN, METHOD, SLOW, CONFLICT = 400, 401, 403, 404, 405, 408, 409
TOO_LARGE, MEDIA, MISDIRECTED, UNFIT, HEADERS, GONE = 413, 415, 421, 422, 431, 499
FAILED, BUSY, LATE = 500, 503, 504


class Refused(Exception):
    """A request that gets no answer but this.

    Parameters
    ----------
    retry_after
        After how many seconds it is worth asking again; None if it never is.
    """

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(one_line(message))
        self.status, self.retry_after = status, retry_after

    @property
    def headers(self) -> dict[str, str]:
        """The headers that go with it."""
        found = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return found | ({"WWW-Authenticate": "Bearer"} if self.status == DENIED else {})

    @property
    def body(self) -> dict[str, str]:
        """Return the body, which is the same for every refusal."""
        return {"error": str(self)}
