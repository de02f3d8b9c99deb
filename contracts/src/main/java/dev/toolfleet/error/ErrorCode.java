package dev.toolfleet.error;

/// Error codes that the fleet itself gives to tool results. A handler may use codes of its own beside these. Codes are
/// public API: `docs/errors.md` has a section for each.
public enum ErrorCode {
    /// The handler failed and named no code.
    E_TOOL("ToolError", "Read the message, correct the cause if it lies in your arguments, and try again; "
            + "otherwise tell the user what failed."),
    /// The step's catalog does not hold the tool.
    E_TOOL_NOT_IN_CATALOG("ToolNotInCatalogError", "Call only tools that were offered to you in this step."),
    /// The catalog holds the tool, but no worker has its handler.
    E_TOOL_NOT_FOUND("ToolNotFoundError",
            "The tool is declared but not installed on this fleet. Do not retry; use another tool or tell the user."),
    /// The arguments do not fit the tool's schema.
    E_TOOL_INVALID_ARGS("ToolInputValidationError", "Correct the arguments to match the tool's schema and call again."),
    /// Policy forbids the call.
    E_TOOL_DENIED("ToolDeniedError", "Policy forbids this call. Do not retry; choose another way or ask the user."),
    /// A person rejected the call.
    E_TOOL_APPROVAL_REJECTED("ToolApprovalRejectedError",
            "A person rejected this call. Do not retry it unchanged; ask the user how to continue."),
    /// The approval expired without a decision.
    E_TOOL_APPROVAL_EXPIRED("ToolApprovalExpiredError",
            "The approval expired. Ask the user before you call again."),
    /// The tool acts for a person who has not authorized it.
    E_TOOL_AUTHORIZATION_REQUIRED("ToolAuthorizationRequiredError",
            "Ask the user to authorize the tool, then call again."),
    /// The person has declined to authorize the tool, or the authorization has failed.
    E_TOOL_AUTHORIZATION_DENIED("ToolAuthorizationDeniedError",
            "The tool was not authorized. Do not retry it; ask the user how to continue."),
    /// The time for an authorization has passed.
    E_TOOL_AUTHORIZATION_EXPIRED("ToolAuthorizationExpiredError",
            "The authorization expired. Ask the user whether to call again."),
    /// The handler did not finish before its deadline.
    E_TOOL_TIMEOUT("ToolTimeoutError", "The call may have had effects. Check before you repeat it, or ask for less "
            + "work at once. Its author can raise `timeout:` on the export, or declare `async:` and return a handle."),
    /// The call was cancelled.
    E_TOOL_CANCELLED("ToolCancelledError", "The call was cancelled. Do not repeat it unless the user asks for it."),
    /// The tool's rate limit is exhausted.
    E_TOOL_RATE_LIMITED("ToolRateLimitedError", "The tool is called too often. Wait before you call it again."),
    /// The tool fails so often that calls are rejected for a while.
    E_TOOL_CIRCUIT_OPEN("ToolCircuitOpenError",
            "The tool keeps failing and is paused. Use another tool, or try again in some minutes."),
    /// The same call has ended with the same result too often in its turn.
    E_TOOL_LOOP("ToolLoopError", "Do not repeat this call: it will not run again in this turn. Use the result that you "
            + "have, call with other arguments, use another tool, or tell the user what you cannot find out."),
    /// A budget of the call's turn, instance, agent or user has too little left.
    E_TOOL_BUDGET_EXHAUSTED("ToolBudgetExhaustedError",
            "Do not repeat this call: its budget is exhausted. Finish with what you have, or tell the user what is left"
                    + " to do."),
    /// No process runs the tool's handlers, which are in another language than Java.
    E_TOOL_HOST_DOWN("ToolHostDownError",
            "Nothing has happened. Try again in a minute; if it fails again, use another tool or tell the user."),
    /// A pending call got no completion or no heartbeat in time.
    E_TOOL_HANDLE_EXPIRED("ToolHandleExpiredError",
            "The long-running work did not report its end in time. Check its state before you start it again."),
    /// Another call holds or held the handle.
    E_TOOL_HANDLE_CONFLICT("ToolHandleConflictError",
            "The tool answered with a handle that another call uses. Tell the user; repeating may start the work twice."),
    /// The worker died while the call ran, and the outcome is unknown.
    E_TOOL_OUTCOME_UNKNOWN("ToolOutcomeUnknownError",
            "It is unknown whether the call took effect. Check the state with a read-only tool before you call again;"
                    + " do not simply repeat the call. If you cannot check, ask the user."),
    /// The handler's value is not JSON.
    E_TOOL_RESULT_INVALID("ToolResultInvalidError",
            "The tool finished but its answer could not be read. It may have had effects; check before you repeat it."),
    /// The result does not fit into a record.
    E_TOOL_RESULT_TOO_LARGE("ToolResultTooLargeError",
            "The tool finished but its answer is too large. Ask for a smaller part of it."),
    /// An extension's middleware failed.
    E_TOOL_MIDDLEWARE("ToolMiddlewareError",
            "An extension of the fleet failed, not your call. Retry once; then tell the user."),
    /// The record on `tool.call` is not a tool call.
    E_CALL_MALFORMED("CallMalformedError",
            "The call was not well formed. Send id, name and instanceKey as text, args as an object."),
    /// Two different calls carry one identity.
    E_CALL_IDENTITY_CONFLICT("CallIdentityConflictError",
            "Another call with this id and other arguments exists in this step. Use a new id for each call of a step.");

    private final String errorName;
    private final String suggestion;

    ErrorCode(String errorName, String suggestion) {
        this.errorName = errorName;
        this.suggestion = suggestion;
    }

    /// Returns the value of `error.name`.
    public String errorName() {
        return errorName;
    }

    /// Returns the default of `error.suggestion`, written for the model that reads it.
    public String suggestion() {
        return suggestion;
    }
}
