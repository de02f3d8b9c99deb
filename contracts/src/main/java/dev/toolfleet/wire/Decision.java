package dev.toolfleet.wire;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolfleet.error.ErrorText;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Decision of a person about a call that waits for approval, on `tool.decision` by its handle.
///
/// @param by the person who decided, by the writer's account; the fleet keeps [#MAX_BY] characters
/// @param reason for people and the model; the fleet keeps [#MAX_REASON] characters
/// @param despiteHidden true for an approval of a call that was not shown whole ([Approval#hidden]): without it such a
///        call is not approved
public record Decision(String handle, Verdict decision, @Nullable String by, @Nullable String reason,
        @Nullable Boolean despiteHidden) {
    /// The kept length of `by`, in UTF-16 units.
    public static final int MAX_BY = 200;
    /// The kept length of `reason`, in UTF-16 units.
    public static final int MAX_REASON = 1_000;

    /// Makes an approval: the call may run, once.
    public static Decision approve(String handle, @Nullable String by, @Nullable String reason) {
        return new Decision(handle, Verdict.APPROVE, by, reason);
    }

    /// Makes a rejection: the call must not run.
    public static Decision reject(String handle, @Nullable String by, @Nullable String reason) {
        return new Decision(handle, Verdict.REJECT, by, reason);
    }

    /// Makes a decision about a call that was shown whole.
    public Decision(String handle, Verdict decision, @Nullable String by, @Nullable String reason) {
        this(handle, decision, by, reason, null);
    }

    /// Returns the same decision, also for a call that was not shown whole.
    public Decision evenIfHidden() {
        return new Decision(handle, decision, by, reason, true);
    }

    /// Returns the same decision about another handle.
    public Decision about(String newHandle) {
        return new Decision(newHandle, decision, by, reason, despiteHidden);
    }

    /// Checks that handle and decision are present.
    public Decision {
        requireNonNull(handle, "handle");
        requireNonNull(decision, "decision");
    }

    /// Returns the same decision with texts cut to their kept lengths; blank texts become absent.
    public Decision kept() {
        return new Decision(handle, decision, kept(by, MAX_BY), kept(reason, MAX_REASON), despiteHidden);
    }

    private static @Nullable String kept(@Nullable String text, int most) {
        return text == null || text.isBlank() ? null : ErrorText.limit(text.strip(), most);
    }

    /// Approve or reject.
    public enum Verdict {
        /// The call may run, once.
        @JsonProperty("approve")
        APPROVE,
        /// The call must not run.
        @JsonProperty("reject")
        REJECT;

        /// Returns its text on the wire.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
