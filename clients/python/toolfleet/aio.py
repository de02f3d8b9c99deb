"""The same client for asyncio.

Python's library has no HTTP for asyncio, so requests run on threads of the client, `max_requests` at a time. A task that is
cancelled leaves its request to its end; streams are closed.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, Optional, TypeVar, Union

from ._transport import Token
from .client import (
    Agent, Call, CallEvent, CallEvents, InstanceResult, ParallelCall, Results, Step, Toolfleet, ToolFormat, facts_of, output_of,
)
from .records import (
    ApprovalList, CallList, CallState, Catalog, CompletionRequest, DecisionRequest, Prompt, ResultList, SessionMessages,
    SessionState, StepAnswer, ToolResult,
)

T = TypeVar("T")


class _Threads:
    def __init__(self, most: int) -> None:
        self._executor = ThreadPoolExecutor(most, "toolfleet")

    async def run(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, lambda: function(*args, **named))

    def close(self) -> None:
        self._executor.shutdown(wait=False)


class AsyncCall:
    """A call that is durable; see Call."""

    def __init__(self, call: Call, threads: _Threads) -> None:
        self._call = call
        self._threads = threads

    @property
    def id(self) -> str:
        return self._call.id

    @property
    def result(self) -> Optional[ToolResult]:
        return self._call.result

    async def state(self) -> CallState:
        return await self._threads.run(self._call.state)

    async def answer(self) -> ToolResult:
        return await self._threads.run(self._call.answer)

    async def final(self) -> ToolResult:
        if not self._call.has_final:
            async for _ in self.events():
                pass
        assert self._call.result is not None
        return self._call.result

    async def output(self) -> Any:
        return output_of(await self.final())

    async def events(self, after: Optional[str] = None) -> AsyncIterator[CallEvent]:
        stream = self._call.events(after)
        try:
            while (event := await self._threads.run(lambda: next(stream, None))) is not None:
                yield event
        finally:
            stream.close()

    async def cancel(self, reason: Optional[str] = None) -> CallState:
        return await self._threads.run(self._call.cancel, reason)


class AsyncStep:
    """A step; see Step."""

    def __init__(self, step: Step, threads: _Threads) -> None:
        self._step = step
        self._threads = threads
        self._lock = asyncio.Lock()

    @property
    def answer(self) -> StepAnswer:
        return self._step.answer

    @property
    def turn_id(self) -> str:
        return self._step.turn_id

    @property
    def step_id(self) -> str:
        return self._step.step_id

    @property
    def tools(self) -> list[dict[str, Any]]:
        return self._step.tools

    async def call(self, name: str, args: Any = None, **facts: Any) -> AsyncCall:
        return AsyncCall(await self._threads.run(self._step.call, name, args, **facts), self._threads)

    async def start(self, name: str, args: Any = None, **facts: Any) -> AsyncCall:
        async with self._lock:
            return AsyncCall(await self._threads.run(self._step.start, name, args, **facts), self._threads)

    async def call_all(self, calls: Iterable[ParallelCall]) -> list[AsyncCall]:
        started = [await self.start(each["name"], each.get("args"), **facts_of(each)) for each in calls]
        await asyncio.gather(*(call.answer() for call in started))
        return started

    async def end(self) -> None:
        await self._threads.run(self._step.end)


class AsyncAgent:
    """An agent of a conversation; see Agent."""

    def __init__(self, agent: Agent, threads: _Threads) -> None:
        self._agent = agent
        self._threads = threads

    async def step(self, turn_id: str, step_id: str, *, format: Optional[ToolFormat] = None, **facts: Any) -> AsyncStep:
        return AsyncStep(await self._threads.run(self._agent.step, turn_id, step_id, format=format, **facts), self._threads)

    async def end_step(self, turn_id: str, step_id: str) -> None:
        await self._threads.run(self._agent.end_step, turn_id, step_id)

    async def call(self, name: str, args: Any = None, **facts: Any) -> AsyncCall:
        return AsyncCall(await self._threads.run(self._agent.call, name, args, **facts), self._threads)

    async def start(self, name: str, args: Any = None, **facts: Any) -> AsyncCall:
        return AsyncCall(await self._threads.run(self._agent.start, name, args, **facts), self._threads)

    async def catalog(self, format: Optional[ToolFormat] = None) -> Catalog:
        return await self._threads.run(self._agent.catalog, format)

    async def prompt(self, mode: Optional[Literal["full", "minimal", "none"]] = None, max_tokens: Optional[int] = None) -> Prompt:
        return await self._threads.run(self._agent.prompt, mode, max_tokens)

    async def messages(self, view: Optional[Literal["log", "model"]] = None) -> SessionMessages:
        return await self._threads.run(self._agent.messages, view)

    async def session(self) -> SessionState:
        return await self._threads.run(self._agent.session)


class AsyncToolfleet:
    """A client of a fleet's gateways; see Toolfleet. `close`, or the end of `async with`, ends its threads."""

    def __init__(self, url: Union[str, Sequence[str]], *, token: Token = None, retry_for: float = 60.0,
                 context: Optional[ssl.SSLContext] = None, max_requests: int = 64) -> None:
        self._client = Toolfleet(url, token=token, retry_for=retry_for, context=context)
        self._threads = _Threads(max_requests)

    async def __aenter__(self) -> "AsyncToolfleet":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._threads.close()

    def agent(self, instance_key: str, agent_name: str) -> AsyncAgent:
        return AsyncAgent(self._client.agent(instance_key, agent_name), self._threads)

    def call(self, id: str) -> AsyncCall:
        return AsyncCall(self._client.call(id), self._threads)

    async def calls(self, **query: Any) -> CallList:
        return await self._threads.run(self._client.calls, **query)

    async def approvals(self, *, instance: Optional[str] = None, agent: Optional[str] = None, limit: Optional[int] = None) -> ApprovalList:
        return await self._threads.run(self._client.approvals, instance=instance, agent=agent, limit=limit)

    async def complete(self, handle: str, report: CompletionRequest) -> None:
        await self._threads.run(self._client.complete, handle, report)

    async def decide(self, handle: str, decision: DecisionRequest) -> None:
        await self._threads.run(self._client.decide, handle, decision)

    async def read_results(self, instance_key: str, *, after: Optional[str] = None, limit: Optional[int] = None, wait: int = 0) -> ResultList:
        return await self._threads.run(self._client.read_results, instance_key, after=after, limit=limit, wait=wait)

    async def results(self, instance_key: str, *, after: Optional[str] = None) -> AsyncIterator[InstanceResult]:
        stream = self._client.results(instance_key, after=after)
        try:
            while (result := await self._threads.run(lambda: next(stream, None))) is not None:
                yield result
        finally:
            stream.close()
