package dev.toolfleet.worker.guard;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Guard of results: the last stage before a result is published. It sees everything that a middleware adds.
@FunctionalInterface
public interface ResultGuard {
    /// Passes every reply unchanged.
    ResultGuard NONE = (call, reply) -> new Guarded(reply, null);

    /// Returns the part of a reply that may be published.
    Guarded guard(GuardedCall call, ToolReply reply);

    /// Call of a reply.
    ///
    /// @param tool the tool's name, as the call names it
    /// @param agent the calling agent; null if the call names none
    /// @param ref the declaration that ran; null if none did, or it is not known which
    /// @param question whether the reply is a question to a person, and so must show all that would run
    record GuardedCall(String tool, @Nullable String agent, @Nullable ToolRef ref, boolean question) {
        /// Creates a call whose reply is no question to a person.
        public GuardedCall(String tool, @Nullable String agent, @Nullable ToolRef ref) {
            this(tool, agent, ref, false);
        }
    }

    /// Reply that may be published.
    ///
    /// @param facts the changes; absent if the reply was not examined
    /// @param hidden places of a question that a person is not shown
    record Guarded(ToolReply reply, @Nullable GuardFacts facts, int hidden) {
        /// Creates a reply that hides nothing from a person who decides by it.
        public Guarded(ToolReply reply, @Nullable GuardFacts facts) {
            this(reply, facts, 0);
        }
    }
}
