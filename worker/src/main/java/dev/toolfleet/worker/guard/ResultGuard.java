package dev.toolfleet.worker.guard;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import org.jspecify.annotations.Nullable;

/// The last stage before a result is published; nothing that a middleware adds escapes it.
@FunctionalInterface
public interface ResultGuard {
    /// Lets every reply pass as it is.
    ResultGuard NONE = (tool, reply) -> new Guarded(reply, null);

    /// What may be published of a reply.
    ///
    /// @param tool the tool's name
    Guarded guard(String tool, ToolReply reply);

    /// A reply that may be published.
    ///
    /// @param facts what was changed; absent when nobody looked
    record Guarded(ToolReply reply, @Nullable GuardFacts facts) {}
}
