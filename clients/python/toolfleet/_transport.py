"""Requests that are sent until they are answered."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import threading
import time
import urllib.parse
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

from .errors import ConnectionFailed, ProblemError
from .records import Problem

# The silence in seconds after which a connection counts as lost. Streams send a comment every 15 s.
SILENCE = 45.0
CONNECT_TIMEOUT = 10.0
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0

Token = Union[str, Callable[[], str], None]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    wait: Optional[int] = None
    silence: float = SILENCE


@dataclass(frozen=True)
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: Any


class Connection:
    """One request and its answer. `interrupt` may be called by any thread, and ends a read of another one."""

    def __init__(self, url: str, silence: float, context: Optional[ssl.SSLContext]) -> None:
        parts = urllib.parse.urlsplit(url)
        assert parts.hostname is not None
        self._silence = silence
        self._prefix = parts.path.rstrip("/")
        if parts.scheme == "https":
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=CONNECT_TIMEOUT, context=context)
        else:
            self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=CONNECT_TIMEOUT)
        self._socket: Optional[socket.socket] = None

    def send(self, method: str, path: str, body: Optional[bytes], headers: Mapping[str, str]) -> http.client.HTTPResponse:
        self._connection.connect()
        self._socket = self._connection.sock
        self._socket.settimeout(self._silence)
        self._connection.request(method, self._prefix + path, body, dict(headers))
        return self._connection.getresponse()

    def interrupt(self) -> None:
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already.

    def close(self) -> None:
        self.interrupt()
        self._connection.close()


class Transport:
    """Sends requests until they are answered.

    A lost connection, 429, 502, 503 and 504 are no answers: the same request goes out again, after `Retry-After` or a
    growing pause. Every request of this client may be repeated, since calls have names. Threads may share a transport.
    """

    def __init__(self, url: Union[str, Sequence[str]], token: Token, retry_for: float, context: Optional[ssl.SSLContext]) -> None:
        self._urls = [url] if isinstance(url, str) else list(url)
        if not self._urls:
            raise ValueError("url is an empty list; name the address of a gateway")
        for each in self._urls:
            _check(each)
        self._token = token
        self._context = context
        self._current = 0
        self._lock = threading.Lock()
        self.retry_for = retry_for

    def json(self, request: Request) -> Reply:
        """Sends a request and reads its answer, JSON."""
        connection, response, body = self._repeat(request, False)
        connection.close()
        return Reply(response.status, response.headers, body)

    def open(self, request: Request) -> tuple[Connection, http.client.HTTPResponse]:
        """Opens a stream. The connection must be closed."""
        connection, response, _ = self._repeat(request, True)
        return connection, response

    def pause(self, attempt: int, at_least: float = 0.0) -> None:
        """Sleeps before the next attempt, longer with their number. Part of it is by chance."""
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt - 1, 10))
        time.sleep(max(at_least, longest * random.uniform(0.5, 1)))

    def _repeat(self, request: Request, stream: bool) -> tuple[Connection, http.client.HTTPResponse, Any]:
        target, body = _target(request), _body(request)
        end = time.monotonic() + self.retry_for
        attempt = 0
        while True:
            attempt += 1
            asked = self._current
            headers = self._headers(request)
            connection = Connection(self._urls[asked % len(self._urls)], request.silence + (request.wait or 0), self._context)
            status = None
            at_least = 0.0
            try:
                response = connection.send(request.method, target, body, headers)
                if response.status < 300:
                    return connection, response, None if stream else _parsed(response.read())
                failure: Exception = ProblemError(_problem(response, request.path), attempt)
                status = response.status
                at_least = _retry_after(response.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException, _NoJson) as e:
                failure = e
            connection.close()
            if status not in (None, 429, 502, 503, 504):
                raise failure
            if status != 429:
                self._leave(asked)
            late = time.monotonic() + at_least >= end
            if late and (status == 429 or attempt > len(self._urls)):
                if isinstance(failure, ProblemError):
                    raise failure
                raise ConnectionFailed(
                    f"no answer to {request.method} {request.path} from {', '.join(self._urls)} after {attempt} attempts in "
                    f"{self.retry_for} s; whether it had an effect is unknown: {failure!r}", attempt) from failure
            self.pause(attempt, 0.0 if late else at_least)

    def _leave(self, asked: int) -> None:
        """Leads to the next gateway. Otherwise: of two requests that failed at one, the second leads past the next one."""
        with self._lock:
            if self._current == asked:
                self._current += 1

    def _headers(self, request: Request) -> dict[str, str]:
        headers = dict(request.headers)
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token if isinstance(self._token, str) else self._token()}"
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if request.wait is not None:
            headers["Prefer"] = f"wait={request.wait}" if request.wait > 0 else "respond-async"
        return headers


@dataclass(frozen=True)
class ServerEvent:
    """A server-sent event."""

    event: str
    id: str
    data: Any


class EventStream:
    """Iterator over a stream of the gateway.

    When the connection breaks, it reads on behind the last event, at any gateway of the group: no event is missed, none
    comes twice. One thread reads; any thread may close. `has_ended` returns True once the event `last` exists; a stream
    that has none behind `after` ends then.
    """

    def __init__(self, transport: Transport, path: str, after: Optional[str], last: Optional[str],
                 has_ended: Callable[[], bool]) -> None:
        self._transport = transport
        self._path = path
        self._after = after
        self._last = last
        self._lock = threading.Lock()
        self._connection: Optional[Connection] = None
        self._closed = False
        self._has_ended = has_ended
        self._ended = False
        self._cut_since: Optional[float] = None
        self._attempt = 0
        self._events = self._read()

    def __iter__(self) -> "EventStream":
        return self

    def __next__(self) -> ServerEvent:
        try:
            return next(self._events)
        except ValueError:
            if self._closed:  # Another thread is closing the generator.
                raise StopIteration from None
            raise

    def close(self) -> None:
        """Ends the stream, and a read of another thread with it."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.interrupt()
        try:
            self._events.close()
        except ValueError:
            pass  # Another thread reads, and closes the connection.

    def _read(self) -> Generator[ServerEvent, None, None]:
        while not self._closed:
            headers = {"Accept": "text/event-stream"}
            if self._after is not None:
                headers["Last-Event-ID"] = self._after
            connection, response = self._transport.open(Request("GET", self._path, headers=headers))
            with self._lock:
                self._connection = connection
                if self._closed:
                    connection.interrupt()
            failure: Optional[Exception] = None
            empty = True
            try:
                for event in self._parse(response):
                    empty = False
                    self._after = event.id
                    yield event
                    if event.event == self._last:
                        return
            except Exception as e:
                if not self._closed and not isinstance(e, (OSError, http.client.HTTPException)):
                    raise
                failure = e
            finally:
                connection.close()
            if self._closed:
                return
            if failure is None and empty:
                # The last event may have come into being after the stream ended, so it must exist before a stream without
                # it is opened.
                if self._ended:
                    return
                self._ended = self._has_ended()
            self._attempt += 1
            if self._cut_since is None:
                self._cut_since = time.monotonic()
            if time.monotonic() - self._cut_since > self._transport.retry_for:
                raise ConnectionFailed(f"the stream {self._path} has been cut for {self._transport.retry_for} s: "
                                       f"{failure or 'it ended'!r}", self._attempt) from failure
            self._transport.pause(self._attempt)

    def _parse(self, response: http.client.HTTPResponse) -> Iterator[ServerEvent]:
        """Parses server-sent events. An event that is cut off is no event."""
        fields: dict[str, str] = {}
        while raw := response.readline():
            self._cut_since = None
            self._attempt = 0
            if not raw.endswith(b"\n"):
                return
            line = raw.decode("utf-8").rstrip("\r\n")
            if not line:
                if "data" in fields:
                    yield ServerEvent(fields.get("event", "message"), fields.get("id", ""), json.loads(fields["data"]))
                fields = {}
                continue
            name, colon, text = line.partition(":")
            if not name or not colon:
                continue
            text = text.removeprefix(" ")
            fields[name] = f"{fields['data']}\n{text}" if name == "data" and "data" in fields else text


class _NoJson(ValueError):
    """An answer that is not that of a gateway."""


def _check(url: str) -> None:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"url is '{url}'; it must be http://HOST:PORT or https://HOST")


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        raise _NoJson(f"the answer is no JSON; let the address lead to a gateway: {text[:200].decode('utf-8', 'replace')}") from None


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _target(request: Request) -> str:
    query = {name: str(value).lower() if isinstance(value, bool) else value for name, value in request.query.items() if value is not None}
    return request.path + (f"?{urllib.parse.urlencode(query)}" if query else "")


def _body(request: Request) -> Optional[bytes]:
    return None if request.body is None else json.dumps(request.body, ensure_ascii=False).encode("utf-8")


def _problem(response: http.client.HTTPResponse, path: str) -> Problem:
    text = response.read()
    whole: Problem = {"type": "about:blank", "title": response.reason, "status": response.status,
                      "detail": text[:500].decode("utf-8", "replace"), "instance": path}
    try:
        problem = json.loads(text)
    except ValueError:
        return whole  # A proxy's page.
    # A proxy may leave fields out.
    if isinstance(problem, dict) and isinstance(problem.get("type"), str):
        return cast(Problem, {**whole, **problem, "status": response.status})
    return whole


def _retry_after(value: Optional[str]) -> float:
    try:
        return max(0.0, float(value)) if value is not None else 0.0
    except ValueError:
        return 0.0
