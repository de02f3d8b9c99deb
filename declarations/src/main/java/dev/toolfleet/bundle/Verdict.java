package dev.toolfleet.bundle;

/// Verdict of a policy about a call, the strictest last.
public enum Verdict {
    /// The call runs.
    ALLOW,
    /// The call waits for approval.
    REQUIRE_APPROVAL,
    /// The call is rejected, and the tool is not shown.
    DENY;

    /// Returns its text in bundles: `require-approval`.
    public String text() {
        return Choices.text(this);
    }

    /// Returns the stricter of two.
    public static Verdict stricter(Verdict one, Verdict other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
