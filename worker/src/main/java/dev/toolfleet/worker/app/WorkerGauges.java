package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.OptionalLong;

import dev.toolfleet.wire.UnknownKinds;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.egress.EgressCounts;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.jspecify.annotations.Nullable;

/// Gauges over a worker's parts, read on demand.
final class WorkerGauges {
    private static final String EGRESS = "connections that commands asked their proxies for";

    private WorkerGauges() {}

    /// Sources of the values.
    interface Sources {
        /// Handlers that were abandoned and still run.
        int abandoned();

        /// Bundles whose active revision is refused.
        int refusedBundles();

        /// Connections that commands asked for.
        EgressCounts egress();

        /// Calls queued or running.
        int inFlight();

        /// Calls that wait for their handles.
        int pending();

        /// Answers that are remembered.
        int answers();

        /// The time since which each partition remembers its answers, in epoch milliseconds.
        OptionalLong rememberedSince();

        /// Answers forgotten because there were too many.
        long forgotten();

        /// Cancellations forgotten because there were too many.
        long cancellationsForgotten();

        /// For how long nothing could be committed.
        Duration commitsFailing();

        /// Partitions that are held for a reason.
        int held(Hold why);
    }

    static void register(WorkerMeters meters, Sources sources, InstantSource clock) {
        meters.gauge(WorkerMeters.HANDLERS_ABANDONED, "abandoned handlers that still run", sources::abandoned);
        meters.gauge(WorkerMeters.BUNDLES_REFUSED, "bundles whose active revision is refused", sources::refusedBundles);
        meters.gauge(WorkerMeters.CALLS_INFLIGHT, "calls queued or running", sources::inFlight);
        meters.gauge(WorkerMeters.CALLS_PENDING, "calls that wait for their handles", sources::pending);
        meters.gauge(WorkerMeters.DEDUPE_ENTRIES, "answers that are remembered", sources::answers);
        meters.duration(WorkerMeters.DEDUPE_OLDEST_AGE,
                "age of the youngest of the partitions' oldest remembered answers",
                () -> age(sources.rememberedSince(), clock));
        meters.count(WorkerMeters.RECORDS_UNKNOWN, "records of a kind that this version does not know",
                UnknownKinds::met);
        meters.count(WorkerMeters.DEDUPE_FORGOTTEN, "answers forgotten before their time", sources::forgotten);
        meters.count(WorkerMeters.CANCELLATIONS_FORGOTTEN, "cancellations forgotten before their time",
                sources::cancellationsForgotten);
        meters.count(WorkerMeters.EGRESS_CONNECTIONS, EGRESS, WorkerMeters.OUTCOME, "allowed",
                sources.egress()::allowed);
        meters.count(WorkerMeters.EGRESS_CONNECTIONS, EGRESS, WorkerMeters.OUTCOME, "refused",
                sources.egress()::refused);
        meters.count(WorkerMeters.EGRESS_CONNECTIONS, EGRESS, WorkerMeters.OUTCOME, "failed", sources.egress()::failed);
        meters.duration(WorkerMeters.COMMIT_FAILING, "for how long nothing can be committed", sources::commitsFailing);
        for (Hold why : Hold.values()) {
            meters.gauge(WorkerMeters.PARTITIONS_HELD, "partitions that are not read",
                    why.name().toLowerCase(Locale.ROOT),
                    () -> sources.held(why));
        }
    }

    private static @Nullable Duration age(OptionalLong since, InstantSource clock) {
        return since.isPresent() ? Duration.ofMillis(clock.millis() - since.getAsLong()) : null;
    }
}
