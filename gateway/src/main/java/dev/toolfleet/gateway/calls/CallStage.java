package dev.toolfleet.gateway.calls;

import java.util.Locale;

/// Stage of a call, as the topics show it.
public enum CallStage {
    /// The call is durable. It waits in its lane, or runs without having reported progress.
    ACCEPTED,
    /// Its handler has reported progress.
    RUNNING,
    /// It waits for work elsewhere.
    PENDING,
    /// It waits for the decision of a person.
    APPROVAL,
    /// Its wait is over: an approved call runs, or an outcome is about to become the final result.
    RESUMED,
    /// It has its final result.
    ENDED;

    /// Returns its text in answers.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
