package dev.toolfleet.policy;

import java.util.List;

import dev.toolfleet.bundle.Verdict;

/// Verdict of the whole policy about a call.
public sealed interface PolicyVerdict {
    /// The rule, stage and reason that decided.
    Cause cause();

    /// Returns the verdict alone.
    default Verdict verdict() {
        return switch (this) {
            case Allowed allowed -> Verdict.ALLOW;
            case ApprovalRequired required -> Verdict.REQUIRE_APPROVAL;
            case Denied denied -> Verdict.DENY;
        };
    }

    /// The call runs.
    record Allowed(Cause cause) implements PolicyVerdict {}

    /// The call is rejected; only a change of the policy helps.
    record Denied(Cause cause) implements PolicyVerdict {}

    /// The call waits for approval.
    ///
    /// @param asking every stage that requires approval, the deciding one first: a grant must cover all of their rules
    record ApprovalRequired(List<Cause> asking) implements PolicyVerdict {
        /// Copies the list.
        public ApprovalRequired {
            asking = List.copyOf(asking);
            if (asking.isEmpty())
                throw new IllegalArgumentException("no stage requires approval");
        }

        @Override
        public Cause cause() {
            return asking.getFirst();
        }
    }
}
