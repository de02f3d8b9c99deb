package dev.toolfleet.worker.commit;

import java.time.Duration;

/// How the transaction loop batches.
///
/// @param callTopic the topic whose offsets are committed
/// @param linger how long a small batch waits for company
/// @param lingerBelow outcomes from which a batch goes at once
/// @param maxMetadata the longest commit metadata
public record CommitConfig(String callTopic, Duration linger, int lingerBelow, int maxMetadata) {
    /// The defaults of DESIGN 4.5.
    public static CommitConfig of(String callTopic) {
        return new CommitConfig(callTopic, Duration.ofMillis(2), 64, DoneOffsets.MAX_METADATA);
    }
}
