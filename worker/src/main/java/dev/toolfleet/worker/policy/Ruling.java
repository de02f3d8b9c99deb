package dev.toolfleet.worker.policy;

import java.util.List;

import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// What a policy comes to for one call on this worker.
public sealed interface Ruling {
    /// What it rests on.
    Basis basis();

    /// It goes on.
    record Allowed(Basis basis) implements Ruling {}

    /// It is refused.
    ///
    /// @param error what the caller is told
    record Denied(Basis basis, ToolError error) implements Ruling {}

    /// A person is asked first.
    ///
    /// @param asking every rule that asks, the deciding one first
    record Asked(Basis basis, List<Cause> asking) implements Ruling {
        /// Copies the list.
        public Asked {
            asking = List.copyOf(asking);
            if (asking.isEmpty())
                throw new IllegalArgumentException("somebody has to ask");
        }
    }

    /// What a ruling rests on.
    ///
    /// @param decision of all stages; null when no policy was asked, or none could answer
    /// @param sensitive whether the tool accesses sensitive data, as its declaration says
    record Basis(@Nullable PolicyDecision decision, boolean sensitive) {
        /// No policy.
        public static final Basis NONE = new Basis(null, false);

        /// Names the policy; null when there is none.
        public @Nullable String policyDigest() {
            return decision == null ? null : decision.policyDigest();
        }
    }
}
