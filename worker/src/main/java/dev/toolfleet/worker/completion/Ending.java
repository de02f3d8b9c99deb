package dev.toolfleet.worker.completion;

import java.util.Locale;

/// How a pending call ended.
enum Ending {
    /// Its work is done.
    COMPLETED,
    /// Its work failed.
    FAILED,
    /// Its work was given up, or somebody cancelled it.
    CANCELLED,
    /// It was not heard of in time.
    EXPIRED,
    /// Its handle was another call's.
    CONFLICT,
    /// A person approved it: it runs.
    APPROVED,
    /// A person rejected it, or it was approved and nothing says what.
    REJECTED;

    /// As metrics name it.
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
