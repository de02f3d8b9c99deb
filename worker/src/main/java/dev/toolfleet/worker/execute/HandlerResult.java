package dev.toolfleet.worker.execute;

import dev.toolfleet.middleware.ToolReply;

/// How the run of a handler ended.
public sealed interface HandlerResult {
    /// With a reply for the caller.
    ///
    /// @param millis how long the handler ran
    record Replied(ToolReply reply, long millis) implements HandlerResult {}

    /// With nothing to publish: the call is left to the next owner of its partition.
    ///
    /// @param started whether the handler had started
    record Left(boolean started) implements HandlerResult {}
}
