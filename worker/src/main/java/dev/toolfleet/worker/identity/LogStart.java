package dev.toolfleet.worker.identity;

/// Start of a partition's calls, as far as it decides which earlier result may answer them.
///
/// @param offset the first offset that is read
/// @param end the end of the partition when it was taken over: calls between the two may have been read before
/// @param appendedAt no call from `offset` on was appended before that, in epoch milliseconds
/// @param sameLog whether the partition's records are known to be those that earlier owners read; false if the topic
/// was made anew or truncated, or if that is not known
/// @param doubt the calls between start and end that may have been answered although no result shows it
public record LogStart(long offset, long end, long appendedAt, boolean sameLog, Doubt doubt) {
    /// Greatest difference between brokers' clocks: two topics may have different leaders.
    public static final long CLOCKS_MILLIS = 60_000;

    /// Before the start is restored.
    static final LogStart NOTHING = new LogStart(0, 0, 0, true, Doubt.NONE);

    /// Calls that may have been answered.
    ///
    /// @param byRecord whether calls that are identified by their record are in doubt: the log is a copy of one in
    /// another cluster, where they had other offsets
    /// @param until calls that were appended before that are in doubt, in epoch milliseconds: results since then may
    /// have been deleted
    public record Doubt(boolean byRecord, long until) {
        /// No call is in doubt.
        public static final Doubt NONE = new Doubt(false, Long.MIN_VALUE);

        boolean concerns(IdentifiedCall call) {
            return call.arrival().appendedAt() < until || (byRecord && call.identity().isOfRecord());
        }
    }
}
