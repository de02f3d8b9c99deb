package dev.toolfleet.worker.poll;

/// Disagreement between a group's offsets, the journaled frontier and the log of one partition.
///
/// @param text the finding and the worker's reaction, for the log
public record Discrepancy(Kind kind, String text) {
    /// Kind of disagreement.
    public enum Kind {
        /// The topic was deleted and made anew, or the fleet reads a copy of it in another cluster.
        RECREATED("recreated"),
        /// The log has lost records that were read.
        TRUNCATED("truncated"),
        /// The group's offset lies below the journaled frontier.
        SET_BACK("set-back"),
        /// The group has no offset, but a frontier was journaled.
        EXPIRED("expired"),
        /// Retention has removed records that were not finished.
        DELETED_UNREAD("deleted-unread");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /// Value of the metric's tag.
        public String label() {
            return label;
        }
    }
}
