"""Client of a Toolfleet gateway: steps, tool calls, results, progress, approvals, sessions."""

from .aio import AsyncAgent, AsyncCall, AsyncStep, AsyncToolfleet
from .client import Agent, Call, CallEvent, CallFacts, InstanceResult, ParallelCall, Step, Toolfleet
from .errors import ConnectionFailed, ProblemError, ToolCallError, ToolfleetError

__all__ = [
    "Agent", "AsyncAgent", "AsyncCall", "AsyncStep", "AsyncToolfleet", "Call", "CallEvent", "CallFacts", "ConnectionFailed",
    "InstanceResult", "ParallelCall", "ProblemError", "Step", "ToolCallError", "Toolfleet", "ToolfleetError",
]
