package dev.toolfleet.cli.backtest;

import java.time.Instant;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/// One past call as an example of a finding. Its result is set when it is found. One thread at a time.
final class Example {
    /// The oldest first; of one time, by the place of the record.
    static final Comparator<Example> BY_TIME = Comparator.comparingLong((Example example) -> example.millis)
            .thenComparing(example -> example.place);

    private final Place place;
    private final long millis;
    private final PastCall call;
    private final PastLabels labels;
    private final Difference difference;
    private Returned returned = Returned.NONE;
    private @Nullable String code;

    /// Place of a call's record on `tool.call`.
    record Place(int partition, long offset) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return partition == other.partition
                    ? Long.compare(offset, other.offset)
                    : Integer.compare(partition, other.partition);
        }
    }

    /// @param millis the record's timestamp in epoch milliseconds
    /// @param labels of its instance, as it was written
    Example(Place place, long millis, PastCall call, PastLabels labels, Difference difference) {
        this.place = place;
        this.millis = millis;
        this.call = call;
        this.labels = labels;
        this.difference = difference;
    }

    Place place() {
        return place;
    }

    void returns(Returned result, @Nullable String errorCode) {
        Returned last = returned.then(result);
        if (last == result)
            code = errorCode;
        returned = last;
    }

    /// The call's id at the gateway, and for `toolfleet explain`: `partition-offset`.
    String callId() {
        return place.partition + "-" + place.offset;
    }

    Instant at() {
        return Instant.ofEpochMilli(millis);
    }

    PastCall call() {
        return call;
    }

    PastLabels labels() {
        return labels;
    }

    Difference difference() {
        return difference;
    }

    Returned returned() {
        return returned;
    }

    /// Code of the error; null without one.
    @Nullable
    String code() {
        return code;
    }
}
