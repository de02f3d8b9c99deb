package dev.toolfleet.client.audit;

/// Something that is wrong with a record of `tool.audit`, or with its absence.
///
/// @param offset of the record at which it is seen
/// @param writer whose chain is concerned; empty for a record without one
/// @param text one sentence for people
public record ChainFinding(Kind kind, int partition, long offset, String writer, String text) {
    /// What is wrong.
    public enum Kind {
        /// A record is not the one that was written.
        CHANGED,
        /// Records of a chain are not there.
        MISSING,
        /// A record stands where its writer did not put it, or twice.
        ORDER,
        /// A record has no place in a chain.
        UNCHAINED,
        /// A record of a writer who had ended before.
        AFTER_END,
        /// Something differs from heads that were taken earlier.
        ANCHOR,
        /// More writers are open than can be followed.
        UNVERIFIED
    }
}
