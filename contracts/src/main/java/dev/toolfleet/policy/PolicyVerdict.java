package dev.toolfleet.policy;

import java.util.List;

/// What is to happen with a call.
public sealed interface PolicyVerdict {
    /// The rule, stage and reason that decided.
    Cause cause();

    /// It runs.
    record Allowed(Cause cause) implements PolicyVerdict {}

    /// It is refused; only a change of the policy helps.
    record Denied(Cause cause) implements PolicyVerdict {}

    /// It waits for a person.
    ///
    /// @param asking every stage that asks, the deciding one first: a grant has to answer all of their rules
    record ApprovalRequired(List<Cause> asking) implements PolicyVerdict {
        /// Copies the list.
        public ApprovalRequired {
            asking = List.copyOf(asking);
            if (asking.isEmpty())
                throw new IllegalArgumentException("somebody has to ask");
        }

        @Override
        public Cause cause() {
            return asking.getFirst();
        }
    }
}
