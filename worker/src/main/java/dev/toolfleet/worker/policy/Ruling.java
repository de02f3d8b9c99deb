package dev.toolfleet.worker.policy;

import java.util.List;

import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// Ruling of the policy on one call, on this worker.
public sealed interface Ruling {
    /// Returns the basis of the ruling.
    Basis basis();

    /// The call goes on.
    record Allowed(Basis basis) implements Ruling {}

    /// The call is refused.
    ///
    /// @param error the caller's error
    record Denied(Basis basis, ToolError error) implements Ruling {}

    /// A person must approve the call first.
    ///
    /// @param asking every rule that requires approval, the deciding one first
    record Asked(Basis basis, List<Cause> asking) implements Ruling {
        /// Copies the list.
        public Asked {
            asking = List.copyOf(asking);
            if (asking.isEmpty())
                throw new IllegalArgumentException("at least one rule must ask");
        }
    }

    /// Basis of a ruling.
    ///
    /// @param decision of all stages; null if there is no policy, or it failed
    /// @param sensitive true if the tool is declared to access sensitive data
    /// @param shadows shadow rules that would have changed the verdict, in the order of their stages
    /// @param labels of the instance at that moment
    record Basis(@Nullable PolicyDecision decision, boolean sensitive, List<ShadowVerdict> shadows,
            List<AddedLabel> labels) {
        /// No policy.
        public static final Basis NONE = new Basis(null, false);

        /// Copies the lists.
        public Basis {
            shadows = List.copyOf(shadows);
            labels = List.copyOf(labels);
        }

        /// Makes a basis without shadow rules and labels.
        public Basis(@Nullable PolicyDecision decision, boolean sensitive) {
            this(decision, sensitive, List.of(), List.of());
        }

        /// Returns the digest of the policy; null if there is none.
        public @Nullable String policyDigest() {
            return decision == null ? null : decision.policyDigest();
        }
    }
}
