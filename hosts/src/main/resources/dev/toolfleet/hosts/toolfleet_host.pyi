"""Types for handlers in Python. The host provides the module `toolfleet_host` when it runs a bundle; copy this file
into the bundle for editors and type checkers."""
import logging
import threading
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

class ToolError(Exception):
    """Failure of a call with a code, and advice for the model."""

    code: str
    name: str
    suggestion: str | None
    help_url: str | None
    def __init__(
        self, code: str, message: str, *, suggestion: str | None = None, help_url: str | None = None
    ) -> None: ...

class Pending:
    """Result of a call whose work goes on elsewhere. Made by `pending`."""

def pending(
    handle: str,
    output: Any = None,
    *,
    token: str | None = None,
    silent_at_most: float | None = None,
    waiting_for: str | None = None,
) -> Pending:
    """Makes the result of a call that has started work: the work's handle, and the output until it ends.

    `silent_at_most` is the longest time in seconds without a report of the work.
    """

class Caller(TypedDict):
    userId: NotRequired[str]
    channelId: NotRequired[str]

class TokenError(TypedDict):
    code: str
    message: str

class TokenAnswer(TypedDict):
    """Fields of `ready`: accessToken, tokenType, expiresAt, scopes; of `authorization_required`: message,
    authorizationUrl, userCode, authSessionId, expiresAt; of `error`: error."""

    status: Literal["ready", "authorization_required", "error"]
    accessToken: NotRequired[str]
    tokenType: NotRequired[str]
    expiresAt: NotRequired[str]
    scopes: NotRequired[list[str]]
    message: NotRequired[str]
    authorizationUrl: NotRequired[str]
    userCode: NotRequired[str]
    authSessionId: NotRequired[str]
    error: NotRequired[TokenError]

class AgentEvent(TypedDict):
    input: NotRequired[Any]
    instanceKey: NotRequired[str]
    name: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]

class _Call:
    agent_name: str | None
    instance_key: str
    turn_id: str | None
    step_id: str | None
    trace_id: str | None
    tool_call_id: str
    tool_name: str
    export_name: str
    config: dict[str, Any]
    caller: Caller
    message: dict[str, Any]
    workdir: str
    attempt: int
    idempotency_key: str
    fencing_token: int
    cancelled: threading.Event
    @property
    def deadline(self) -> datetime: ...
    @property
    def logger(self) -> logging.LoggerAdapter[logging.Logger]: ...
    def progress(self, percent: float | None = None, message: str | None = None) -> None: ...
    def new_handle(self) -> str: ...

class Context(_Call):
    """First argument of a plain function."""

    @property
    def runtime(self) -> Runtime | None: ...
    def authorized(self, *scopes: str, min_ttl: float | None = None) -> TokenAnswer:
        """Returns an access token of the call's user for the Tool's OAuthApp, valid for `min_ttl` seconds at least.

        The token belongs into the request alone, never into an output, an error or a log. An answer
        `authorization_required` may be returned as the handler's output.
        """

class AsyncContext(_Call):
    """First argument of an `async def`."""

    @property
    def runtime(self) -> AsyncRuntime | None: ...
    def authorized(self, *scopes: str, min_ttl: float | None = None) -> Awaitable[TokenAnswer]: ...

class Runtime:
    """Way of a plain function to other agents. Each method blocks until the answer is there."""

    def request(self, target: str, event: AgentEvent, *, timeout: float | None = None) -> dict[str, Any]: ...
    def send(self, target: str, event: AgentEvent) -> dict[str, Any]: ...
    def spawn(self, target: str, *, instance_key: str | None = None, cwd: str | None = None) -> dict[str, Any]: ...
    def list(self, *, include_all: bool = False) -> dict[str, Any]: ...
    def catalog(self) -> dict[str, Any]: ...

class AsyncRuntime:
    """Way of an `async def` to other agents: the same methods, each to be awaited."""

    def request(self, target: str, event: AgentEvent, *, timeout: float | None = None) -> Awaitable[dict[str, Any]]: ...
    def send(self, target: str, event: AgentEvent) -> Awaitable[dict[str, Any]]: ...
    def spawn(
        self, target: str, *, instance_key: str | None = None, cwd: str | None = None
    ) -> Awaitable[dict[str, Any]]: ...
    def list(self, *, include_all: bool = False) -> Awaitable[dict[str, Any]]: ...
    def catalog(self) -> Awaitable[dict[str, Any]]: ...

class Work:
    """Argument of `poll` and `cancel`: work behind a handle."""

    handle: str
    input: dict[str, Any]
    output: Any
    instance_key: str
    agent_name: str | None
    tool_call_id: str
    tool_name: str
    export_name: str
    config: dict[str, Any]
    started_at: datetime
    deadline: datetime
    cancelled: threading.Event
    logger: logging.LoggerAdapter[logging.Logger]

Handlers = dict[str, Callable[[Any, Any], Any]]
Verdict = dict[str, Any] | Literal["didNotHappen", "unknown"] | None
