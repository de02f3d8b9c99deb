package dev.toolfleet.gateway.readmodel;

import java.util.EnumMap;
import java.util.Map;

import dev.toolfleet.gateway.calls.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// Counters of reads, by the place that answered. Each try counts, and a search counts at each gateway that takes part.
/// Thread-safe.
final class ReadCounts {
    private final Map<Source, Counter> answered = new EnumMap<>(Source.class);
    private final Map<Source, Counter> unavailable = new EnumMap<>(Source.class);

    /// Place of a read.
    enum Source {
        /// The stores of this gateway's own partitions.
        OWN("own"),
        /// Another gateway, which owns the partition.
        OWNER("owner"),
        /// A copy, here or at another gateway, since the owner was not available.
        COPY("copy");

        private final String tag;

        Source(String tag) {
            this.tag = tag;
        }
    }

    ReadCounts(MeterRegistry meters) {
        for (Source source : Source.values()) {
            answered.put(source, counter(meters, source, "answered"));
            unavailable.put(source, counter(meters, source, "unavailable"));
        }
    }

    private static Counter counter(MeterRegistry meters, Source source, String outcome) {
        return Counter.builder(ReadModelMeters.READS).tag(ReadModelMeters.SOURCE, source.tag)
                .tag(ReadModelMeters.OUTCOME, outcome).description("reads of calls, by the place that answered")
                .register(meters);
    }

    /// Counts an answer, and returns it. `Unknown` is an answer.
    <T> Answer<T> of(Source source, Answer<T> answer) {
        Counter counter = (answer instanceof Answer.Unavailable ? unavailable : answered).get(source);
        if (counter != null)
            counter.increment();
        return answer;
    }
}
