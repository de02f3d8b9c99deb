package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What a person decided about a call that waits for approval, on `tool.decision` by its handle.
///
/// @param by who decided
/// @param reason why
public record Decision(String handle, Verdict decision, @Nullable String by, @Nullable String reason) {
    /// Checks that the decision says of what it is one.
    public Decision {
        requireNonNull(handle, "handle");
        requireNonNull(decision, "decision");
    }

    /// Yes or no.
    public enum Verdict {
        /// The call may run, once.
        @JsonProperty("approve")
        APPROVE,
        /// The call must not run.
        @JsonProperty("reject")
        REJECT
    }
}
