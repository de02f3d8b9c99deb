package dev.toolfleet.wire;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolfleet.error.ErrorText;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What a person decided about a call that waits for approval, on `tool.decision` by its handle.
///
/// @param by who decided, as whoever wrote the record says; the fleet keeps [#MAX_BY] characters
/// @param reason why, for people and the model; the fleet keeps [#MAX_REASON] characters
/// @param despiteHidden true for an approval of a call that was not shown whole ([Approval#hidden]): without it such a call
/// is not approved
public record Decision(String handle, Verdict decision, @Nullable String by, @Nullable String reason,
        @Nullable Boolean despiteHidden) {
    /// What is kept of `by`, in UTF-16 units.
    public static final int MAX_BY = 200;
    /// What is kept of `reason`, in UTF-16 units.
    public static final int MAX_REASON = 1_000;

    /// The call may run, once.
    public static Decision approve(String handle, @Nullable String by, @Nullable String reason) {
        return new Decision(handle, Verdict.APPROVE, by, reason);
    }

    /// The call must not run.
    public static Decision reject(String handle, @Nullable String by, @Nullable String reason) {
        return new Decision(handle, Verdict.REJECT, by, reason);
    }

    /// A decision about what was shown whole.
    public Decision(String handle, Verdict decision, @Nullable String by, @Nullable String reason) {
        this(handle, decision, by, reason, null);
    }

    /// The same decision, for a call that was not shown whole too.
    public Decision evenIfHidden() {
        return new Decision(handle, decision, by, reason, true);
    }

    /// The same decision about another handle.
    public Decision about(String newHandle) {
        return new Decision(newHandle, decision, by, reason, despiteHidden);
    }

    /// Checks that the decision says of what it is one.
    public Decision {
        requireNonNull(handle, "handle");
        requireNonNull(decision, "decision");
    }

    /// The same decision with no more than is kept of it; what is blank is absent.
    public Decision kept() {
        return new Decision(handle, decision, kept(by, MAX_BY), kept(reason, MAX_REASON), despiteHidden);
    }

    private static @Nullable String kept(@Nullable String text, int most) {
        return text == null || text.isBlank() ? null : ErrorText.limit(text.strip(), most);
    }

    /// Yes or no.
    public enum Verdict {
        /// The call may run, once.
        @JsonProperty("approve")
        APPROVE,
        /// The call must not run.
        @JsonProperty("reject")
        REJECT;

        /// As it stands on the wire.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
