package dev.toolfleet.middleware;

/// Layer of the onion around a tool call. Code before `next.proceed()` runs before the call, code after it runs after.
/// A layer that does not proceed answers for everything inside it. Runs on the call's virtual thread, for many calls at
/// a time.
@FunctionalInterface
public interface ToolCallMiddleware {
    /// Handles the call.
    ///
    /// @param ctx the call; changes to its arguments and metadata are seen further in
    /// @param next the rest of the onion; works once, a second time throws [IllegalStateException]
    /// @throws Exception anything: the call then ends with `E_TOOL_MIDDLEWARE`, unless a layer further out catches it
    ToolReply handle(ToolCallContext ctx, Next next) throws Exception;

    /// The layers further in, ending in catalog, policy, arguments and handler.
    @FunctionalInterface
    interface Next {
        /// Runs the rest. Failures of the tool are replies; only a failing layer throws.
        ToolReply proceed() throws Exception;
    }
}
