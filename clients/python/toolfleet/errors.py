"""Errors of the client. ToolfleetError is the base of all."""

from __future__ import annotations

from typing import Optional

from .records import Problem, ToolResult


class ToolfleetError(Exception):
    """An error of this client; the base of all others."""


class ProblemError(ToolfleetError):
    """A refusal of the gateway. `code` is its kind, such as `unknown-call`; docs/http.md has the list.

    `attempts` is the number of requests. After a lost answer, `ended` may be the effect of an earlier one of them.
    """

    def __init__(self, problem: Problem, attempts: int) -> None:
        self.problem = problem
        self.attempts = attempts
        self.status = problem["status"]
        self.code = problem["type"].removeprefix("urn:toolfleet:problem:")
        super().__init__(f"{self.status} {self.code}: {problem['detail']}")


class ConnectionFailed(ToolfleetError):
    """No gateway has answered for the whole of `retry_for`. Whether the request had an effect is unknown."""

    def __init__(self, message: str, attempts: int) -> None:
        self.attempts = attempts
        super().__init__(message)


class ToolCallError(ToolfleetError):
    """A call that ended with an error of its tool or of the fleet. `code` is one of docs/errors.md, or the tool's own.

    The message ends with the suggestion, the advice for the model.
    """

    def __init__(self, result: ToolResult) -> None:
        self.result = result
        error = result.get("error", {"code": "E_TOOL", "message": "The result has no error."})
        self.code: str = error["code"]
        self.suggestion: Optional[str] = error.get("suggestion")
        advice = f" {self.suggestion}" if self.suggestion else ""
        super().__init__(f"{result['toolName']}: {self.code}: {error['message']}{advice}")
