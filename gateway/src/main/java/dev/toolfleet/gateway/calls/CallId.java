package dev.toolfleet.gateway.calls;

/// Id of a call: partition and offset of its record on `tool.call`, as `{partition}-{offset}`. It exists once the
/// record is durable, and names exactly one call.
///
/// @param partition the record's partition
/// @param offset the record's offset
public record CallId(int partition, long offset) implements Comparable<CallId> {
    /// Checks that the record can exist.
    ///
    /// @throws IllegalArgumentException for a negative number
    public CallId {
        if (partition < 0)
            throw new IllegalArgumentException("partition " + partition + " is negative");
        if (offset < 0)
            throw new IllegalArgumentException("offset " + offset + " is negative");
    }

    /// Reads an id. Each call has one text only, so leading zeros and signs are rejected.
    ///
    /// @throws IllegalArgumentException naming the text and the expected form
    public static CallId parse(String text) {
        return NumberPair.parse("call id", text, (partition, offset) -> new CallId(partition, offset));
    }

    @Override
    public int compareTo(CallId other) {
        return partition != other.partition
                ? Integer.compare(partition, other.partition)
                : Long.compare(offset, other.offset);
    }

    /// Returns `{partition}-{offset}`.
    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
