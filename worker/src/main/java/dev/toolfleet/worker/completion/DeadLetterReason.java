package dev.toolfleet.worker.completion;

/// Reason why a record that names a handle becomes a dead letter; the reasons are public API (`docs/async-tools.md`).
enum DeadLetterReason {
    /// The call has ended.
    LATE("late"),
    /// No call of this handle came in time.
    UNKNOWN_HANDLE("unknown-handle"),
    /// The call demands a token, and this is not it.
    WRONG_TOKEN("wrong-token"),
    /// The handle awaits a person's decision, and this is a completion; or it awaits work, and this is a decision.
    WRONG_KIND("wrong-kind"),
    /// The cancellation names another instance than the call's.
    WRONG_INSTANCE("wrong-instance"),
    /// The call was not shown whole, and the approval does not include its hidden parts.
    HIDDEN("hidden"),
    /// More than one person must approve, or the requester must not, and the approval names no person.
    NAMELESS("nameless"),
    /// The user for whom the call is made approved it, and a rule wants another person.
    REQUESTER("requester"),
    /// The same person has approved before; the approval is counted once.
    COUNTED("counted"),
    /// Another version of the fleet wrote the state of the handle, and this one cannot read it.
    UNREADABLE_STATE("unreadable-state");

    private final String text;

    DeadLetterReason(String text) {
        this.text = text;
    }

    /// Name in headers and metrics.
    String text() {
        return text;
    }
}
