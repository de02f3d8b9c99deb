package dev.toolfleet.worker.policy;

import java.util.List;

import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.wire.ToolError;

/// What a policy comes to for one call on this worker.
public sealed interface Ruling {
    /// It goes on.
    record Allowed() implements Ruling {}

    /// It is refused.
    ///
    /// @param error what the caller is told
    record Denied(ToolError error, PolicyDecision decision) implements Ruling {}

    /// A person is asked first.
    ///
    /// @param asking every rule that asks, the deciding one first
    record Asked(List<Cause> asking, PolicyDecision decision) implements Ruling {
        /// Copies the list.
        public Asked {
            asking = List.copyOf(asking);
        }
    }
}
