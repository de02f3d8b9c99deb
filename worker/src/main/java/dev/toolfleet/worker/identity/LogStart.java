package dev.toolfleet.worker.identity;

/// Where a partition's calls are read from, as far as it decides what an earlier result may answer.
///
/// @param offset where reading starts
/// @param end where the partition ended when it was taken over: what lies in between may have been read before
/// @param appendedAt every call from `offset` on was appended then or later, in epoch milliseconds
/// @param sameLog whether the partition's records are known to be those that earlier owners read; false when the topic
///        was made anew or truncated, or when nothing says so
/// @param doubt which calls in between may have been answered although no result shows it
public record LogStart(long offset, long end, long appendedAt, boolean sameLog, Doubt doubt) {
    /// How far brokers' clocks may be apart: two topics may have other leaders.
    public static final long CLOCKS_MILLIS = 60_000;

    /// Before anything is restored.
    static final LogStart NOTHING = new LogStart(0, 0, 0, true, Doubt.NONE);

    /// Calls that may have been answered.
    ///
    /// @param byRecord those that are identified by their record: the log is a copy of one in another cluster, where they
    ///        had other offsets
    /// @param until those that were appended before, in epoch milliseconds: results since then may have been deleted
    public record Doubt(boolean byRecord, long until) {
        /// None.
        public static final Doubt NONE = new Doubt(false, Long.MIN_VALUE);

        boolean concerns(IdentifiedCall call) {
            return call.arrival().appendedAt() < until || (byRecord && call.identity().isOfRecord());
        }
    }
}
