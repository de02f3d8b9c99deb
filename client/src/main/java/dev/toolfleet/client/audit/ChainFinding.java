package dev.toolfleet.client.audit;

/// Finding of a check: a record of `tool.audit` is wrong, or missing.
///
/// @param offset of the record that reveals it
/// @param writer the writer of the chain; empty for a record without one
/// @param text one sentence for people
public record ChainFinding(Kind kind, int partition, long offset, String writer, String text) {
    /// Kind of a finding.
    public enum Kind {
        /// A record is not the one that was written.
        CHANGED,
        /// Records of a chain are missing.
        MISSING,
        /// A record is out of its writer's order, or appears twice.
        ORDER,
        /// A record has no place in a chain.
        UNCHAINED,
        /// A writer has a record after its last one.
        AFTER_END,
        /// The topic differs from heads that were taken earlier.
        ANCHOR,
        /// More writers are open than the verifier can follow.
        UNVERIFIED
    }
}
