package dev.toolfleet.worker.assignment;

/// Place of a record that the worker has to finish, with the epoch of the assignment under which it was read.
///
/// @param source one of the two topics
/// @param partition the partition number, which all records derived from the call share
/// @param epoch grows with every assignment in this process
/// @param offset the record's offset
public record Position(Source source, int partition, long epoch, long offset) {

    /// Topic whose records are finished, and whose offsets are committed with their outcomes.
    public enum Source {
        /// `tool.call`.
        CALLS,
        /// `tool.call.resumed`.
        RESUMED
    }

    /// Creates a call's own place, on `tool.call`.
    public Position(int partition, long epoch, long offset) {
        this(Source.CALLS, partition, epoch, offset);
    }

    /// Creates a place on `tool.call.resumed`.
    public static Position resumed(int partition, long epoch, long offset) {
        return new Position(Source.RESUMED, partition, epoch, offset);
    }

    /// Returns the same value in every process. Otherwise: the hash code of the enum constant differs from process to
    /// process, and with it the order of a hash map's keys.
    @Override
    public int hashCode() {
        int topic = source == Source.CALLS ? 0 : 31 * 31 * 31;
        return topic + (partition * 31 + Long.hashCode(epoch)) * 31 + Long.hashCode(offset);
    }
}
