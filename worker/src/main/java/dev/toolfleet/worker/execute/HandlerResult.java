package dev.toolfleet.worker.execute;

import dev.toolfleet.middleware.ToolReply;

/// End of a handler's run.
public sealed interface HandlerResult {
    /// The handler has a reply for the caller.
    ///
    /// @param millis how long the handler ran
    record Replied(ToolReply reply, long millis) implements HandlerResult {}

    /// There is nothing to publish: the call is left to the next owner of its partition.
    ///
    /// @param started whether the handler had started
    record Left(boolean started) implements HandlerResult {}
}
