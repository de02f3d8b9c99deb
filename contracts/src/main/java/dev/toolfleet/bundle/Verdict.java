package dev.toolfleet.bundle;

/// What a policy says about a call, the strictest last.
public enum Verdict {
    /// The call runs.
    ALLOW,
    /// The call waits for a person.
    REQUIRE_APPROVAL,
    /// The call is refused, and the tool is not shown.
    DENY;

    /// As bundles write it: `require-approval`.
    public String text() {
        return Choices.text(this);
    }

    /// The stricter of two.
    public static Verdict stricter(Verdict one, Verdict other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
