package dev.toolfleet.cli.backtest;

/// Result that a past call had returned.
enum Returned {
    /// No result is there, or not yet.
    NONE("no result"),
    /// An output.
    OK("ok"),
    /// An error.
    ERROR("error"),
    /// A handle, and no final result yet.
    PENDING("pending"),
    /// A result that was not looked up, because there were too many changes, or whose status is not known.
    UNKNOWN("unknown");

    private final String text;

    Returned(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /// Returns the last word of two results of a call: a final result counts, whatever comes behind it.
    Returned then(Returned later) {
        return later == PENDING && (this == OK || this == ERROR) ? this : later;
    }
}
