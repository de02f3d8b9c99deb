package dev.toolfleet.worker.guard;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// The last stage before a result is published; nothing that a middleware adds escapes it.
@FunctionalInterface
public interface ResultGuard {
    /// Lets every reply pass as it is.
    ResultGuard NONE = (call, reply) -> new Guarded(reply, null);

    /// What may be published of a reply.
    Guarded guard(GuardedCall call, ToolReply reply);

    /// Whose reply it is.
    ///
    /// @param tool the tool's name, as the call names it
    /// @param agent who calls; null when the call does not say
    /// @param ref the declaration that ran; null when none did, or it is not known which
    /// @param question whether the reply asks a person to approve the call, and so must show all that would run
    record GuardedCall(String tool, @Nullable String agent, @Nullable ToolRef ref, boolean question) {
        /// A call whose reply asks nobody.
        public GuardedCall(String tool, @Nullable String agent, @Nullable ToolRef ref) {
            this(tool, agent, ref, false);
        }
    }

    /// A reply that may be published.
    ///
    /// @param facts what was changed; absent when nobody looked
    /// @param hidden places of a question that a person is not shown
    record Guarded(ToolReply reply, @Nullable GuardFacts facts, int hidden) {
        /// A reply that hides nothing from a person who decides by it.
        public Guarded(ToolReply reply, @Nullable GuardFacts facts) {
            this(reply, facts, 0);
        }
    }
}
