package dev.toolfleet.cli.backtest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Verdict;

/// Difference that a bundle makes to a past call.
public enum Finding {
    /// The call is denied, and was not.
    DENIED("denied", "newly denied", false),
    /// The call needs approval, and did not; it was allowed, or denied.
    ASKED("asked", "newly asked", false),
    /// The call is allowed, and was denied.
    ALLOWED("allowed", "newly allowed", false),
    /// The call is allowed, and needed approval.
    NO_LONGER_ASKED("no-longer-asked", "no longer asked", false),
    /// A shadow rule of the bundle would deny the call.
    WOULD_DENY("would-deny", "would be denied", true),
    /// A shadow rule of the bundle would require approval of the call.
    WOULD_ASK("would-ask", "would be asked", true),
    /// A shadow rule of the bundle would allow the call.
    WOULD_ALLOW("would-allow", "would be allowed", true);

    private final String text;
    private final String title;
    private final boolean shadow;

    Finding(String text, String title, boolean shadow) {
        this.text = text;
        this.title = title;
        this.shadow = shadow;
    }

    /// Returns the finding of that text among those that a run may fail on.
    public static Optional<Finding> change(String text) {
        return changes().stream().filter(finding -> finding.text.equals(text)).findFirst();
    }

    /// Returns the texts of the changes, for messages.
    public static String form() {
        return String.join(", ", changes().stream().map(Finding::text).toList());
    }

    /// Returns the change between two verdicts; empty for none.
    static Optional<Finding> between(Verdict before, Verdict after) {
        if (before == after)
            return Optional.empty();
        return Optional.of(switch (after) {
            case DENY -> DENIED;
            case REQUIRE_APPROVAL -> ASKED;
            case ALLOW -> before == Verdict.DENY ? ALLOWED : NO_LONGER_ASKED;
        });
    }

    /// Returns the finding of a shadow rule that would make the verdict.
    static Finding would(Verdict verdict) {
        return switch (verdict) {
            case DENY -> WOULD_DENY;
            case REQUIRE_APPROVAL -> WOULD_ASK;
            case ALLOW -> WOULD_ALLOW;
        };
    }

    /// Returns its text on command lines and in JSON.
    public String text() {
        return text;
    }

    String title() {
        return title;
    }

    boolean isShadow() {
        return shadow;
    }

    private static List<Finding> changes() {
        return Arrays.stream(values()).filter(finding -> !finding.shadow).toList();
    }
}
