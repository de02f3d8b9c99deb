package dev.toolfleet.gateway.calls;

/// Place of a final result on `tool.result`, as `{partition}-{offset}`. Readers of an instance's results continue behind
/// it.
///
/// @param partition the record's partition, which is the call's
/// @param offset the record's offset
public record ResultPosition(int partition, long offset) {
    /// Checks that the record can exist.
    ///
    /// @throws IllegalArgumentException for a negative number
    public ResultPosition {
        if (partition < 0)
            throw new IllegalArgumentException("partition " + partition + " is negative");
        if (offset < 0)
            throw new IllegalArgumentException("offset " + offset + " is negative");
    }

    /// Reads a position.
    ///
    /// @throws IllegalArgumentException naming the text and the expected form
    public static ResultPosition parse(String text) {
        return NumberPair.parse("position of a result", text, (partition, offset) -> new ResultPosition(partition,
                offset));
    }

    /// Returns `{partition}-{offset}`.
    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
