"""The gateway's records. Made by generate_records.py of docs/openapi.json; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

# A call that waits for a person.
OpenApproval = TypedDict("OpenApproval", {
    "handle": str,
    "state": Literal["open"],
    "toolName": str,
    "toolCallId": str,
    "instanceKey": str,
    "agentName": NotRequired[str],
    "turnId": NotRequired[str],
    "stepId": NotRequired[str],
    "userId": NotRequired[str],
    "channelId": NotRequired[str],
    "createdAt": str,
    "deadline": str,
    "rule": NotRequired[str],
    "rules": NotRequired[list[str]],
    "reason": NotRequired[str],
    "fingerprint": NotRequired[str],
    "policyDigest": NotRequired[str],
    "hidden": NotRequired[Any],
    "quorum": NotRequired[int],
    "notBy": NotRequired[str],
    "approvedBy": NotRequired[list[str]],
    "arguments": Any,
    "operands": list[dict[str, Any]],
})

# Open approvals, the oldest first.
ApprovalList = TypedDict("ApprovalList", {
    "approvals": list[OpenApproval],
    "notes": list[str],
})

# A call without its arguments and its output.
CallSummary = TypedDict("CallSummary", {
    "id": str,
    "callId": str,
    "instanceKey": str,
    "agentName": NotRequired[str],
    "tool": str,
    "userId": NotRequired[str],
    "turnId": NotRequired[str],
    "stepId": NotRequired[str],
    "acceptedAt": str,
    "stage": Literal["accepted", "running", "pending", "approval", "resumed", "ended"],
    "status": NotRequired[Literal["ok", "error"]],
    "code": NotRequired[str],
    "endedAt": NotRequired[str],
    "replayed": bool,
})

# Calls, the newest first.
CallList = TypedDict("CallList", {
    "calls": list[CallSummary],
    "next": NotRequired[str],
    "searchedTo": NotRequired[str],
    "missing": list[int],
})

# One agent in one conversation.
AgentAddress = TypedDict("AgentAddress", {
    "agent": str,
    "instanceKey": str,
})

# Where a gateway posts the final result, as a webhook.
CallRequestCallback = TypedDict("CallRequestCallback", {
    "url": str,
    "secret": str,
})

# A call.
CallRequest = TypedDict("CallRequest", {
    "id": NotRequired[str],
    "name": str,
    "args": NotRequired[Any],
    "turnId": NotRequired[str],
    "stepId": NotRequired[str],
    "stepIndex": NotRequired[int],
    "traceId": NotRequired[str],
    "userId": NotRequired[str],
    "channelId": NotRequired[str],
    "message": NotRequired[Any],
    "deadline": NotRequired[str],
    "catalogDigest": NotRequired[str],
    "metadata": NotRequired[dict[str, Any]],
    "callers": NotRequired[list[AgentAddress]],
    "arguments": NotRequired[Any],
    "input": NotRequired[Any],
    "callback": NotRequired[CallRequestCallback],
})

# A call as it was accepted, without what its caller keeps: a ToolCall without idempotencyKey, message, metadata and callers.
CallFacts = TypedDict("CallFacts", {
    "id": str,
    "name": str,
    "args": Any,
    "instanceKey": str,
    "agentName": NotRequired[str],
    "turnId": NotRequired[str],
    "stepId": NotRequired[str],
    "stepIndex": NotRequired[int],
    "traceId": NotRequired[str],
    "userId": NotRequired[str],
    "channelId": NotRequired[str],
    "deadline": NotRequired[str],
    "catalogDigest": NotRequired[str],
})

# How far work is.
Progress = TypedDict("Progress", {
    "percent": NotRequired[float],
    "message": NotRequired[str],
})

# Why a call failed, written for the model that reads it.
ToolError = TypedDict("ToolError", {
    "code": str,
    "name": NotRequired[str],
    "message": str,
    "suggestion": NotRequired[str],
    "helpUrl": NotRequired[str],
})

# Where the time of a call went, in milliseconds.
Timing = TypedDict("Timing", {
    "queuedMs": int,
    "handlerMs": int,
    "totalMs": int,
    "checksMs": NotRequired[int],
    "slotMs": NotRequired[int],
})

# What the result guard did to a result.
GuardFacts = TypedDict("GuardFacts", {
    "truncated": bool,
    "redacted": bool,
    "originalSize": int,
    "guardedSize": int,
})

# The answer to a tool call, on tool.result in the call's partition.
ToolResult = TypedDict("ToolResult", {
    "toolCallId": str,
    "toolName": str,
    "status": Literal["ok", "error", "pending"],
    "output": NotRequired[Any],
    "handle": NotRequired[str],
    "error": NotRequired[ToolError],
    "instanceKey": str,
    "agentName": NotRequired[str],
    "turnId": NotRequired[str],
    "stepId": NotRequired[str],
    "attempt": int,
    "replayed": bool,
    "fingerprint": NotRequired[str],
    "callOffset": int,
    "timing": NotRequired[Timing],
    "guard": NotRequired[GuardFacts],
    "notice": NotRequired[str],
})

# A file to which an approval is bound.
BoundOperand = TypedDict("BoundOperand", {
    "name": str,
    "size": int,
    "digest": str,
})

# What a person is asked about a call.
Approval = TypedDict("Approval", {
    "rule": str,
    "rules": list[str],
    "reason": str,
    "fingerprint": str,
    "policyDigest": NotRequired[str],
    "hidden": NotRequired[int],
    "operands": NotRequired[list[BoundOperand]],
    "quorum": NotRequired[int],
    "notBy": NotRequired[str],
    "approvedBy": NotRequired[list[str]],
})

# An open wait of a call.
CallWait = TypedDict("CallWait", {
    "handle": str,
    "kind": str,
    "target": NotRequired[str],
    "approval": NotRequired[Approval],
    "createdAt": str,
    "deadline": str,
    "heartbeatTimeout": NotRequired[str],
})

# A decision about a handle, as it was written.
CallDecision = TypedDict("CallDecision", {
    "handle": str,
    "verdict": str,
    "by": NotRequired[str],
    "reason": NotRequired[str],
    "at": str,
})

# The state of a call.
CallState = TypedDict("CallState", {
    "id": str,
    "stage": Literal["accepted", "running", "pending", "approval", "resumed", "ended"],
    "acceptedAt": str,
    "event": str,
    "call": CallFacts,
    "progress": NotRequired[Progress],
    "pending": NotRequired[ToolResult],
    "waitsFor": NotRequired[CallWait],
    "decisions": NotRequired[list[CallDecision]],
    "result": NotRequired[ToolResult],
})

# Something that is not as the bundle declares it.
Note = TypedDict("Note", {
    "tool": str,
    "note": str,
})

# The tools that the model of the newest step may see and call.
Catalog = TypedDict("Catalog", {
    "format": Literal["toolfleet", "openai", "anthropic", "mcp"],
    "digest": str,
    "tools": list[dict[str, Any]],
    "names": dict[str, str],
    "arguments": dict[str, dict[str, str]],
    "notes": list[Note],
})

# A report of work behind a handle.
CompletionRequest = TypedDict("CompletionRequest", {
    "kind": Literal["completed", "failed", "cancelled", "progress"],
    "output": NotRequired[Any],
    "error": NotRequired[ToolError],
    "progress": NotRequired[Progress],
    "token": NotRequired[str],
})

# The decision of a person.
DecisionRequest = TypedDict("DecisionRequest", {
    "decision": Literal["approve", "reject"],
    "by": NotRequired[str],
    "reason": NotRequired[str],
    "despiteHidden": NotRequired[bool],
})

# A refusal (RFC 9457).
Problem = TypedDict("Problem", {
    "type": str,
    "title": str,
    "status": int,
    "detail": str,
    "instance": str,
    "reasons": NotRequired[list[str]],
})

PromptSectionsItem = TypedDict("PromptSectionsItem", {
    "id": str,
    "tokens": int,
    "class": Literal["static", "agent", "session", "turn"],
})

# The system prompt of an agent.
Prompt = TypedDict("Prompt", {
    "text": str,
    "digest": str,
    "boundary": int,
    "sections": list[PromptSectionsItem],
    "dropped": list[str],
    "shortened": list[str],
})

ResultListResultsItem = TypedDict("ResultListResultsItem", {
    "position": str,
    "call": str,
    "result": ToolResult,
})

# Final results of an instance.
ResultList = TypedDict("ResultList", {
    "instanceKey": str,
    "results": list[ResultListResultsItem],
    "next": NotRequired[str],
})

# The messages of a session, in one of two views.
SessionMessages = TypedDict("SessionMessages", {
    "instanceKey": str,
    "agentName": str,
    "seq": int,
    "view": Literal["log", "model"],
    "messages": list[dict[str, Any]],
    "findings": NotRequired[list[dict[str, Any]]],
})

# A call in a session's messages without a final result.
AwaitedCall = TypedDict("AwaitedCall", {
    "toolCallId": str,
    "toolName": str,
    "stepId": NotRequired[str],
    "handle": NotRequired[str],
    "requested": bool,
})

# The right of one run to write a session's turn.
SessionLease = TypedDict("SessionLease", {
    "holder": str,
    "token": int,
    "until": str,
})

# The state of the messages of an instance's agent, on session.state by instanceKey/agentName.
SessionState = TypedDict("SessionState", {
    "instanceKey": str,
    "agentName": str,
    "seq": int,
    "messages": int,
    "tokens": int,
    "usableTokens": int,
    "status": str,
    "openCalls": NotRequired[list[AwaitedCall]],
    "digest": str,
    "lease": NotRequired[SessionLease],
    "lastToken": int,
    "updatedAt": str,
})

# The tools that a step's model may see and call.
StepAnswer = TypedDict("StepAnswer", {
    "instanceKey": str,
    "agentName": str,
    "turnId": str,
    "stepId": str,
    "format": Literal["toolfleet", "openai", "anthropic", "mcp"],
    "digest": str,
    "tools": list[dict[str, Any]],
    "names": dict[str, str],
    "arguments": dict[str, dict[str, str]],
    "notes": list[Note],
})

# A step that begins.
StepRequest = TypedDict("StepRequest", {
    "turnId": str,
    "stepId": str,
    "stepIndex": NotRequired[int],
    "userId": NotRequired[str],
    "channelId": NotRequired[str],
    "hints": NotRequired[dict[str, Any]],
})

__all__ = [
    "OpenApproval",
    "ApprovalList",
    "CallSummary",
    "CallList",
    "AgentAddress",
    "CallRequestCallback",
    "CallRequest",
    "CallFacts",
    "Progress",
    "ToolError",
    "Timing",
    "GuardFacts",
    "ToolResult",
    "BoundOperand",
    "Approval",
    "CallWait",
    "CallDecision",
    "CallState",
    "Note",
    "Catalog",
    "CompletionRequest",
    "DecisionRequest",
    "Problem",
    "PromptSectionsItem",
    "Prompt",
    "ResultListResultsItem",
    "ResultList",
    "SessionMessages",
    "AwaitedCall",
    "SessionLease",
    "SessionState",
    "StepAnswer",
    "StepRequest",
]
