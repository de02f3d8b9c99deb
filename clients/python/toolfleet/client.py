"""A client that blocks. Threads may share it and all of its objects."""

from __future__ import annotations

import ssl
import threading
import urllib.parse
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union, cast

from ._transport import EventStream, Request, Token, Transport, quoted
from .errors import ToolCallError
from .records import (
    ApprovalList, CallList, CallState, Catalog, CompletionRequest, DecisionRequest, Prompt, ResultList, SessionMessages,
    SessionState, StepAnswer, ToolResult,
)

# The longest wait of one request, in seconds.
WAIT = 30
# The gateway waits up to 45 s for the catalog of a step before it answers that there is none.
STEP_SILENCE = 60.0

ToolFormat = Literal["toolfleet", "openai", "anthropic", "mcp"]


class CallFacts(TypedDict, total=False):
    """Facts of a call beside its tool and arguments.

    `idempotencyKey` is the caller's own name of the call. A call with the same key is the same call. It takes the place of
    turn, step and id.
    """

    id: str
    turnId: str
    stepId: str
    stepIndex: int
    traceId: str
    userId: str
    channelId: str
    message: Any
    deadline: str
    catalogDigest: str
    metadata: dict[str, Any]
    callback: dict[str, str]
    idempotencyKey: str


class ParallelCall(CallFacts):
    """One of several calls of a model's message."""

    name: str
    args: NotRequired[Any]


@dataclass(frozen=True)
class CallEvent:
    """An event of a call: `accepted`, `progress`, `pending` or `result`, which is the last one."""

    event: str
    id: str
    data: Any


@dataclass(frozen=True)
class InstanceResult:
    """A final result of an instance, with the position behind which a reader continues."""

    position: str
    call: str
    result: ToolResult


class CallEvents:
    """Iterator over the events of a call. Any thread may close it."""

    def __init__(self, call: "Call", stream: EventStream) -> None:
        self._call = call
        self._stream = stream

    def __iter__(self) -> "CallEvents":
        return self

    def __next__(self) -> CallEvent:
        event = next(self._stream)
        if event.event == "result":
            self._call.result = event.data
        elif event.event == "pending" and not self._call.has_final:
            self._call.result = event.data["result"]
        return CallEvent(event.event, event.id, event.data)

    def close(self) -> None:
        self._stream.close()


class Results:
    """Iterator without end over the final results of an instance. Any thread may close it."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream

    def __iter__(self) -> "Results":
        return self

    def __next__(self) -> InstanceResult:
        data = next(self._stream).data
        return InstanceResult(data["position"], data["call"], data["result"])

    def close(self) -> None:
        self._stream.close()


class Call:
    """A call that is durable. It ends with one final result, whatever process dies.

    `id` is the fleet's id of the call, not the model's. `result` is the newest result that this object has seen.
    """

    def __init__(self, transport: Transport, id: str, result: Optional[ToolResult] = None) -> None:
        self._transport = transport
        self._path = f"/v1/calls/{quoted(id)}"
        self.id = id
        self.result = result

    def state(self) -> CallState:
        """Reads where the call is."""
        return cast(CallState, self._transport.json(Request("GET", self._path)).body)

    def answer(self) -> ToolResult:
        """Waits for the first result: the final one, or a pending one."""
        while self.result is None:
            state = cast(CallState, self._transport.json(Request("GET", self._path, wait=WAIT)).body)
            self.result = state.get("result") or state.get("pending")
        return self.result

    def final(self) -> ToolResult:
        """Waits for the final result, through pending ones, for as long as it takes."""
        if not self.has_final:
            for _ in self.events():
                pass
        assert self.result is not None
        return self.result

    @property
    def has_final(self) -> bool:
        """True once this object has seen the final result."""
        return self.result is not None and self.result["status"] != "pending"

    def output(self) -> Any:
        """Waits for the final result and returns its output. Raises ToolCallError if it is an error."""
        return output_of(self.final())

    def events(self, after: Optional[str] = None) -> CallEvents:
        """Streams the events of the call, to its result. A stream that breaks goes on where it was."""
        return CallEvents(self, EventStream(self._transport, f"{self._path}/events", after, "result", self._has_ended))

    def _has_ended(self) -> bool:
        result = self.state().get("result")
        if result is not None:
            self.result = result
        return result is not None

    def cancel(self, reason: Optional[str] = None) -> CallState:
        """Sends the wish that the call ends. Its result shows what came of it."""
        body = {} if reason is None else {"reason": reason}
        return cast(CallState, self._transport.json(Request("POST", f"{self._path}/cancel", body=body)).body)


class Step:
    """A step: what its model may see and call, and the calls that it makes."""

    def __init__(self, agent: "Agent", answer: StepAnswer) -> None:
        self.agent = agent
        self.answer = answer
        self.turn_id = answer["turnId"]
        self.step_id = answer["stepId"]
        self.tools = answer["tools"]
        self._lock = threading.Lock()

    def call(self, name: str, args: Any = None, **facts: Any) -> Call:
        """Calls a tool by the name that the model uses, and waits for the first result: the final one, or a pending one.

        `id` is the model's id of the call, which is kept; without one, the call gets a key of its own. CallFacts has all.
        """
        return self.agent.call(self._name(name), self._args(name, args), **self._facts(facts))

    def start(self, name: str, args: Any = None, **facts: Any) -> Call:
        """Calls a tool and returns once the call is durable. Calls run in the order in which they were started."""
        with self._lock:
            return self.agent.start(self._name(name), self._args(name, args), **self._facts(facts))

    def call_all(self, calls: Iterable[ParallelCall]) -> list[Call]:
        """Makes the calls of one message of a model: submits them in their order, and returns them with their first results.

        The first one that cannot be submitted ends this method, and those behind it are not submitted.
        """
        started = [self.start(each["name"], each.get("args"), **facts_of(each)) for each in calls]
        for call in started:
            call.answer()
        return started

    def end(self) -> None:
        """Announces the end of the step."""
        self.agent.end_step(self.turn_id, self.step_id)

    def _facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {"turnId": self.turn_id, "stepId": self.step_id, "catalogDigest": self.answer["digest"], **facts}

    def _name(self, name: str) -> str:
        return self.answer["names"].get(name, name)

    def _args(self, name: str, args: Any) -> Any:
        renamed = self.answer["arguments"].get(name)
        if not renamed or not isinstance(args, dict):
            return args
        return {renamed.get(key, key): value for key, value in args.items()}


class Agent:
    """An agent of a conversation."""

    def __init__(self, transport: Transport, instance_key: str, agent_name: str) -> None:
        self._transport = transport
        self._path = f"/v1/instances/{quoted(instance_key)}/agents/{quoted(agent_name)}"
        self.instance_key = instance_key
        self.agent_name = agent_name

    def step(self, turn_id: str, step_id: str, *, format: Optional[ToolFormat] = None, **facts: Any) -> Step:
        """Announces a step, and reads the tools that its model may see and call. StepRequest has the other facts."""
        body = {"turnId": turn_id, "stepId": step_id, **facts}
        reply = self._transport.json(Request("POST", f"{self._path}/steps", {"format": format}, body=body, silence=STEP_SILENCE))
        return Step(self, cast(StepAnswer, reply.body))

    def end_step(self, turn_id: str, step_id: str) -> None:
        """Announces the end of a step."""
        self._transport.json(Request("POST", f"{self._path}/steps/{quoted(turn_id)}/{quoted(step_id)}/end", body={}))

    def call(self, name: str, args: Any = None, **facts: Any) -> Call:
        """Calls a tool and waits for the first result: the final one, or a pending one."""
        call = self._send(name, args, facts, WAIT)
        call.answer()
        return call

    def start(self, name: str, args: Any = None, **facts: Any) -> Call:
        """Calls a tool and returns once the call is durable."""
        return self._send(name, args, facts, 0)

    def catalog(self, format: Optional[ToolFormat] = None) -> Catalog:
        """Reads the tools of the newest step."""
        return cast(Catalog, self._get("catalog", format=format))

    def prompt(self, mode: Optional[Literal["full", "minimal", "none"]] = None, max_tokens: Optional[int] = None) -> Prompt:
        """Reads the system prompt of the newest step."""
        return cast(Prompt, self._get("prompt", mode=mode, maxTokens=max_tokens))

    def messages(self, view: Optional[Literal["log", "model"]] = None) -> SessionMessages:
        """Reads the messages of the session: as they were written, or repaired for a model."""
        return cast(SessionMessages, self._get("messages", view=view))

    def session(self) -> SessionState:
        """Reads the newest state of the session."""
        return cast(SessionState, self._get("session"))

    def _get(self, path: str, **query: Any) -> Any:
        return self._transport.json(Request("GET", f"{self._path}/{path}", query)).body

    def _send(self, name: str, args: Any, facts: Mapping[str, Any], wait: int) -> Call:
        body = {**facts, "name": name, "args": {} if args is None else args}
        key = body.pop("idempotencyKey", None)
        if key is None and not all(body.get(each) is not None for each in ("id", "turnId", "stepId")):
            key = uuid.uuid4().hex
        headers = {} if key is None else {"Idempotency-Key": key}
        reply = self._transport.json(Request("POST", f"{self._path}/calls", headers=headers, body=body, wait=wait))
        id = (reply.headers["Location"] or reply.headers["Toolfleet-Call-Id"] or "").rsplit("/", 1)[-1]
        if not id:
            raise TypeError("the answer has no Location; a proxy must let Location or Toolfleet-Call-Id through")
        return Call(self._transport, urllib.parse.unquote(id), reply.body if "toolCallId" in reply.body else None)


class Toolfleet:
    """A client of a fleet's gateways. It holds no connection open and needs no close.

    `url` is the address of a gateway, or of several of one group: after a failure the next one is asked. `token` is that of
    the principal, or a function that returns it for each request. `retry_for` is for how many seconds a request is sent
    again while no gateway answers it; each is asked, and the first one twice, even if that takes longer.
    """

    def __init__(self, url: Union[str, Sequence[str]], *, token: Token = None, retry_for: float = 60.0,
                 context: Optional[ssl.SSLContext] = None) -> None:
        self._transport = Transport(url, token, retry_for, context)

    def agent(self, instance_key: str, agent_name: str) -> Agent:
        """An agent of a conversation; it need not exist yet."""
        return Agent(self._transport, instance_key, agent_name)

    def call(self, id: str) -> Call:
        """A call by the fleet's id of it, such as `3-977`."""
        return Call(self._transport, id)

    def calls(self, **query: Any) -> CallList:
        """Lists calls, the newest first, by `instance`, `agent`, `tool`, `user`, `stage`, `status`, `code`, `since`.

        `next` of the answer is `after` of the next request.
        """
        return cast(CallList, self._transport.json(Request("GET", "/v1/calls", query)).body)

    def approvals(self, *, instance: Optional[str] = None, agent: Optional[str] = None, limit: Optional[int] = None) -> ApprovalList:
        """Lists the calls that wait for a person."""
        query = {"instance": instance, "agent": agent, "limit": limit}
        return cast(ApprovalList, self._transport.json(Request("GET", "/v1/approvals", query)).body)

    def complete(self, handle: str, report: CompletionRequest) -> None:
        """Reports progress or the end of the work behind a handle."""
        self._transport.json(Request("POST", f"/v1/handles/{quoted(handle)}/completions", body=report))

    def decide(self, handle: str, decision: DecisionRequest) -> None:
        """Approves or rejects the call that waits for a person behind a handle."""
        self._transport.json(Request("POST", f"/v1/handles/{quoted(handle)}/decision", body=decision))

    def read_results(self, instance_key: str, *, after: Optional[str] = None, limit: Optional[int] = None, wait: int = 0) -> ResultList:
        """Reads final results of an instance in their order, and waits up to `wait` seconds for the first new one."""
        query = {"after": after, "limit": limit}
        return cast(ResultList, self._transport.json(Request("GET", results_of(instance_key), query, wait=wait)).body)

    def results(self, instance_key: str, *, after: Optional[str] = None) -> Results:
        """Streams the final results of an instance in their order, without end."""
        return Results(EventStream(self._transport, results_of(instance_key), after, None, lambda: False))


def results_of(instance_key: str) -> str:
    return f"/v1/instances/{quoted(instance_key)}/results"


def facts_of(call: ParallelCall) -> dict[str, Any]:
    return {name: value for name, value in call.items() if name not in ("name", "args")}


def output_of(result: ToolResult) -> Any:
    if result["status"] == "error":
        raise ToolCallError(result)
    return result.get("output")
