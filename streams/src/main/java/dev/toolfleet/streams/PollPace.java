package dev.toolfleet.streams;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Poll timeouts of a topology's thread.
///
/// Records that arrived lately may have to be committed soon, and Kafka Streams checks that only between polls. These
/// polls therefore keep the timeout that Kafka Streams requests. A topology without input has nothing to commit. Its
/// polls may last longer, and still end at once when a record arrives; an idle thread then takes a tenth of the
/// processor time.
///
/// **Threads.** Used by the thread of one consumer.
final class PollPace {
    /// The time without input after which the thread rests. A start with little to restore is over before. A longer
    /// start, and a rebalance of an idle topology, take up to [#REST] longer for each step, as with the default of
    /// Kafka Streams.
    static final Duration QUIET = Duration.ofSeconds(2);
    /// The longest delay of a timer of a resting thread.
    static final Duration REST = Duration.ofMillis(100);

    private final LongSupplier nanos;
    private long came;

    /// @param nanos a clock that never goes back
    PollPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.came = nanos.getAsLong();
    }

    /// Returns the timeout of the next poll.
    ///
    /// @param asked the timeout that Kafka Streams requests; zero when it has other work
    Duration of(Duration asked) {
        boolean rests = !asked.isZero() && asked.compareTo(REST) < 0
                && nanos.getAsLong() - came > QUIET.toNanos();
        return rests ? REST : asked;
    }

    /// Notes that the poll returned records.
    void came() {
        came = nanos.getAsLong();
    }
}
