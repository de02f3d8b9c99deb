package dev.toolfleet.worker.assignment;

/// Where a record that the worker has to finish was read, and the epoch of the assignment under which it was.
///
/// @param source from which of the two topics
/// @param partition the partition number, which everything derived from the call follows
/// @param epoch grows with every assignment in this process
/// @param offset the record's offset
public record Position(Source source, int partition, long epoch, long offset) {

    /// The topics whose records are finished, and whose offsets are committed with what comes of them.
    public enum Source {
        /// `tool.call`.
        CALLS,
        /// `tool.call.resumed`.
        RESUMED
    }

    /// A call's own place, on `tool.call`.
    public Position(int partition, long epoch, long offset) {
        this(Source.CALLS, partition, epoch, offset);
    }

    /// A place on `tool.call.resumed`.
    public static Position resumed(int partition, long epoch, long offset) {
        return new Position(Source.RESUMED, partition, epoch, offset);
    }

    /// The same in every process: that of an enum constant is not, and with it the order of a hash map's keys.
    @Override
    public int hashCode() {
        int topic = source == Source.CALLS ? 0 : 31 * 31 * 31;
        return topic + (partition * 31 + Long.hashCode(epoch)) * 31 + Long.hashCode(offset);
    }
}
