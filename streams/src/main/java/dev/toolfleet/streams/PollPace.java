package dev.toolfleet.streams;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How long a topology's thread waits for input. What came lately may have to be committed soon, and Kafka Streams looks
/// at that only between polls, so these are as short as it asks for. While nothing comes there is nothing to commit: then
/// a poll, which ends at once when something does come, may last longer, and an idle thread takes a tenth of the
/// processor time.
///
/// Used by the thread of one consumer.
final class PollPace {
    /// For how long nothing must have come. A start with little to restore is over before; one with more, and a rebalance
    /// of an idle topology, takes up to [#REST] longer for each of its steps, as with the default of Kafka Streams.
    static final Duration QUIET = Duration.ofSeconds(2);
    /// How late a thread that rests may be for what comes by its clock.
    static final Duration REST = Duration.ofMillis(100);

    private final LongSupplier nanos;
    private long came;

    /// @param nanos a clock that never goes back
    PollPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.came = nanos.getAsLong();
    }

    /// For how long the next poll may wait.
    ///
    /// @param asked what Kafka Streams wants; zero when it has something else to do
    Duration of(Duration asked) {
        boolean rests = !asked.isZero() && asked.compareTo(REST) < 0
                && nanos.getAsLong() - came > QUIET.toNanos();
        return rests ? REST : asked;
    }

    /// The poll brought something.
    void came() {
        came = nanos.getAsLong();
    }
}
