package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// A result as a `read_committed` reader of `tool.result` got it.
///
/// @param seenAt when the reader got it
public record ResultFact(String callId, int partition, long offset, Instant seenAt, GivenAnswer answer,
        boolean replayed) {
    /// True for the answer itself that is the call's last.
    boolean original() {
        return !replayed && answer.last();
    }
}
