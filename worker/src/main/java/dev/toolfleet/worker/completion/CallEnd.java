package dev.toolfleet.worker.completion;

import java.util.Locale;

/// Kind of a pending call's end.
enum CallEnd {
    /// Its work is done.
    COMPLETED,
    /// Its work failed.
    FAILED,
    /// Its work was given up, or the call was cancelled.
    CANCELLED,
    /// No end was reported in time.
    EXPIRED,
    /// Its handle belonged to another call.
    CONFLICT,
    /// A person approved it: it runs.
    APPROVED,
    /// A person rejected it, or a person approved it and its record does not name the question.
    REJECTED;

    /// Name in metrics.
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
