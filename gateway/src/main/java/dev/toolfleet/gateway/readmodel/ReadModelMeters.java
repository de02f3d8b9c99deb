package dev.toolfleet.gateway.readmodel;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.toolfleet.gateway.topology.CallStores;
import dev.toolfleet.streams.StreamsRun;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/// Meters of the read model, by Micrometer's names; public API for monitoring. Most read what Kafka Streams has measured,
/// and none sends a request to the broker.
public final class ReadModelMeters {
    /// Gauge: records that the read model has yet to read, of the partitions of this gateway.
    public static final String BEHIND = "toolfleet.gateway.behind";
    /// Counter: records that the read model has read.
    public static final String RECORDS = "toolfleet.gateway.records";
    /// Gauge: records, transactions' marks too, that stores have yet to read back before this gateway reads on
    /// in their partitions.
    public static final String RESTORING = "toolfleet.gateway.restoring";
    /// Gauge: entries of the stores of this gateway, its copies too, as RocksDB estimates them.
    public static final String ENTRIES = "toolfleet.gateway.entries";
    /// Gauge: partitions of `tool.call`, by [#ROLE].
    public static final String PARTITIONS = "toolfleet.gateway.partitions";
    /// Counter: reads, by [#SOURCE] and [#OUTCOME].
    public static final String READS = "toolfleet.gateway.reads";
    /// Counter: threads that died and were replaced.
    public static final String REPLACED_THREADS = "toolfleet.gateway.replaced.threads";

    /// The tag of [#PARTITIONS]: `owner` or `copy`.
    public static final String ROLE = "role";
    /// The tag of [#READS]: `own`, `owner` for another gateway that owns the partition, or `copy`.
    public static final String SOURCE = "source";
    /// The tag of [#READS]: `answered` or `unavailable`.
    public static final String OUTCOME = "outcome";

    private static final String FETCHES = "consumer-fetch-manager-metrics";
    private static final String STORES = "stream-state-metrics";
    /// The last part of the name of a consumer that reads changelogs.
    private static final String OF_CHANGELOGS = "-restore-consumer";

    private ReadModelMeters() {}

    /// Binds the meters of one run.
    static void bind(StreamsRun run, OwnCalls.Stores stores, MeterRegistry meters) {
        Gauge.builder(BEHIND, run, each -> sum(each, name -> isFetch(name, "records-lag", true)))
                .description("records that the read model has yet to read").register(meters);
        FunctionCounter.builder(RECORDS, run, each -> sum(each, name -> isFetch(name, "records-consumed-total", false)))
                .description("records that the read model has read").register(meters);
        Gauge.builder(RESTORING, run, StreamsRun::restoring)
                .description("records that stores have yet to read back").register(meters);
        Gauge.builder(ENTRIES, run, each -> sum(each, is(STORES, "estimate-num-keys")))
                .description("entries of the stores, as RocksDB estimates them").register(meters);
        partitions("owner", stores, CallStores::owned, meters);
        partitions("copy", stores, CallStores::copied, meters);
        FunctionCounter.builder(REPLACED_THREADS, run, StreamsRun::replacedThreads)
                .description("threads that died and were replaced").register(meters);
    }

    private static void partitions(String role, OwnCalls.Stores stores, Function<CallStores, Set<Integer>> held,
            MeterRegistry meters) {
        Gauge.builder(PARTITIONS, stores, now -> count(now, held)).strongReference(true).tag(ROLE, role)
                .description("partitions of tool.call that this gateway reads, or holds a copy of").register(meters);
    }

    private static double count(OwnCalls.Stores stores, Function<CallStores, Set<Integer>> held) {
        try {
            Optional<CallStores> now = stores.now();
            return now.isEmpty() ? 0 : held.apply(now.get()).size();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            // Partitions moved while they were counted.
            return 0;
        }
    }

    private static Predicate<MetricName> is(String group, String name) {
        return each -> each.group().equals(group) && each.name().equals(name);
    }

    /// @param ofPartitions true for the metrics of single partitions, false for those of whole consumers
    private static boolean isFetch(MetricName name, String metric, boolean ofPartitions) {
        return is(FETCHES, metric).test(name)
                && name.tags().containsKey("topic") == ofPartitions
                && !name.tags().getOrDefault("client-id", "").endsWith(OF_CHANGELOGS);
    }

    /// Consumers without records measure NaN.
    private static double sum(StreamsRun run, Predicate<MetricName> wanted) {
        return run.streams().stream().flatMap(streams -> streams.metrics().entrySet().stream())
                .filter(metric -> wanted.test(metric.getKey())).mapToDouble(metric -> value(metric.getValue()))
                .filter(value -> value > 0).sum();
    }

    private static double value(Metric metric) {
        return metric.metricValue() instanceof Number number ? number.doubleValue() : 0;
    }
}
