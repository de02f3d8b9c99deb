package dev.toolfleet.worker.telemetry;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;

/// Metrics of a worker's load and its partitions, by Micrometer's names; the names are public API for monitoring.
/// Thread-safe.
public final class LoadMeters {
    /// Gauge: calls that more workers could run now.
    public static final String BACKLOG = "toolfleet.backlog.effective";
    /// Gauge: 1 while the worker is ready, else 0.
    public static final String READY = "toolfleet.worker.ready";
    /// Gauge: calls that run.
    public static final String CALLS_RUNNING = "toolfleet.calls.running";
    /// Gauge: instances that have a call queued or running.
    public static final String LANES_ACTIVE = "toolfleet.lanes.active";
    /// Gauge, in seconds: the longest time for which an instance with calls in its queue has started and ended none; 0
    /// if none waits.
    public static final String LANES_STALLED_AGE = "toolfleet.lanes.stalled.age";
    /// Gauge, by [WorkerMeters#TOOL]: calls that wait for the handles that this tool answered with.
    public static final String HANDLES_PENDING = "toolfleet.handles.pending";
    /// Gauge, in seconds, by [WorkerMeters#TOOL]: the age of the oldest of them, from its call's append.
    public static final String HANDLES_OLDEST_AGE = "toolfleet.handles.oldest.age";
    /// Gauge: calls that wait for a person's decision.
    public static final String APPROVALS_OPEN = "toolfleet.approvals.open";
    /// Gauge, in seconds: the age of the oldest of them.
    public static final String APPROVALS_OLDEST_AGE = "toolfleet.approvals.oldest.age";
    /// Gauge, by [#PARTITION]: the offset of the next read.
    public static final String OFFSET_SEEN = "toolfleet.partition.seen";
    /// Gauge, by [#PARTITION]: the offset behind the highest call whose end is committed.
    public static final String OFFSET_FINISHED = "toolfleet.partition.finished";
    /// Gauge, by [#PARTITION]: the committed offset, which is the lowest call that has not ended.
    public static final String OFFSET_COMMITTED = "toolfleet.partition.committed";
    /// Gauge, by [#PARTITION]: characters of the commit metadata that are used, of 4,096.
    public static final String METADATA = "toolfleet.partition.metadata";
    /// Counter, by [#KIND]: partitions whose committed offset, journaled frontier and log did not agree when they were
    /// taken over: `recreated`, `truncated`, `set-back`, `expired` or `deleted-unread`.
    public static final String DISCREPANCIES = "toolfleet.partition.discrepancies";
    /// The tag of [#DISCREPANCIES].
    public static final String KIND = "kind";
    /// A tag: the number of a partition of `tool.call`.
    public static final String PARTITION = "partition";
    /// Summary: records of a transaction that was committed.
    public static final String TRANSACTION_RECORDS = "toolfleet.transactions.records";
    /// Timer: transactions that were committed.
    public static final String TRANSACTION_TIME = "toolfleet.transactions.time";
    /// Counter: transactions that were not committed, or of unknown end; their entries are tried again.
    public static final String TRANSACTIONS_FAILED = "toolfleet.transactions.failed";
    /// Timer: the time for which a rebalance that took partitions away held up the poll thread.
    public static final String REVOKE_TIME = "toolfleet.rebalances.revoke";
    /// Timer: from the assignment of a partition until its calls are read.
    public static final String TAKE_OVER_TIME = "toolfleet.rebalances.takeover";

    private final Function<String, Counter> discrepancies;
    private final DistributionSummary transactionRecords;
    private final Timer transactionTime;
    private final Counter transactionsFailed;
    private final Timer revokeTime;
    private final Timer takeOverTime;

    LoadMeters(RegisteredMeters meters) {
        discrepancies = kind -> meters.registered(Counter.builder(DISCREPANCIES).tag(KIND, kind)
                .description("partitions whose offset, journal and log did not agree").register(meters.registry()));
        transactionRecords = meters.registered(DistributionSummary.builder(TRANSACTION_RECORDS)
                .description("records of a committed transaction").register(meters.registry()));
        transactionTime = meters.registered(
                Timer.builder(TRANSACTION_TIME).description("committed transactions").register(meters.registry()));
        transactionsFailed = meters.registered(Counter.builder(TRANSACTIONS_FAILED)
                .description("transactions that are tried again").register(meters.registry()));
        revokeTime = meters.registered(Timer.builder(REVOKE_TIME)
                .description("time for which a revocation held up the poll thread").register(meters.registry()));
        takeOverTime = meters.registered(Timer.builder(TAKE_OVER_TIME)
                .description("from a partition's assignment until its calls are read").register(meters.registry()));
    }

    /// Records the end of a transaction.
    public void transaction(boolean committed, int records, long nanos) {
        if (committed) {
            transactionRecords.record(records);
            transactionTime.record(nanos, TimeUnit.NANOSECONDS);
        } else {
            transactionsFailed.increment();
        }
    }

    /// Records the time of a rebalance in which partitions were given up.
    public void revoked(long nanos) {
        revokeTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    /// Counts a partition whose offset, journal and log did not agree.
    public void discrepancy(String kind) {
        discrepancies.apply(kind).increment();
    }

    /// Records the time until a partition has started.
    public void tookOver(long nanos) {
        takeOverTime.record(nanos, TimeUnit.NANOSECONDS);
    }
}
