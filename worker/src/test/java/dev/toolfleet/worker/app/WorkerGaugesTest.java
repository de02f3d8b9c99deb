package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.egress.EgressCounts;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerGaugesTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkerMeters meters = new WorkerMeters(registry);
    private final Fake worker = new Fake();

    private static final class Fake implements WorkerGauges.Sources {
        final EgressCounts egress = new EgressCounts();
        int factor;
        OptionalLong since = OptionalLong.empty();

        @Override
        public int abandoned() {
            return factor;
        }

        @Override
        public int refusedBundles() {
            return 11 * factor;
        }

        @Override
        public EgressCounts egress() {
            return egress;
        }

        @Override
        public int inFlight() {
            return 2 * factor;
        }

        @Override
        public int pending() {
            return 7 * factor;
        }

        @Override
        public int answers() {
            return 3 * factor;
        }

        @Override
        public OptionalLong rememberedSince() {
            return since;
        }

        @Override
        public long forgotten() {
            return 4L * factor;
        }

        @Override
        public long cancellationsForgotten() {
            return 7L * factor;
        }

        @Override
        public Duration commitsFailing() {
            return Duration.ofMillis(1500L * factor);
        }

        @Override
        public int held(Hold why) {
            return factor * (why == Hold.METADATA_FULL ? 5 : 6);
        }
    }

    @BeforeEach
    void register() {
        WorkerGauges.register(meters, worker, () -> Instant.ofEpochSecond(100));
    }

    @Test
    void everyGaugeFollowsTheWorker() {
        for (int factor : new int[]{0, 1, 10}) {
            worker.factor = factor;

            assertThat(gauge(WorkerMeters.HANDLERS_ABANDONED)).isEqualTo(factor);
            assertThat(gauge(WorkerMeters.CALLS_INFLIGHT)).isEqualTo(2 * factor);
            assertThat(gauge(WorkerMeters.CALLS_PENDING)).isEqualTo(7 * factor);
            assertThat(gauge(WorkerMeters.DEDUPE_ENTRIES)).isEqualTo(3 * factor);
            assertThat(registry.get(WorkerMeters.DEDUPE_FORGOTTEN).functionCounter().count()).isEqualTo(4 * factor);
            assertThat(registry.get(WorkerMeters.CANCELLATIONS_FORGOTTEN).functionCounter().count())
                    .isEqualTo(7 * factor);
            assertThat(seconds(WorkerMeters.COMMIT_FAILING)).isEqualTo(1.5 * factor);
            assertThat(held("metadata_full")).isEqualTo(5 * factor);
            assertThat(held("quarantined")).isEqualTo(6 * factor);
        }
    }

    @Test
    void theOldestAnswersAgeIsInSecondsAndNoNumberWithoutAnswers() {
        assertThat(seconds(WorkerMeters.DEDUPE_OLDEST_AGE)).isNaN();

        worker.since = OptionalLong.of(97_500);

        assertThat(seconds(WorkerMeters.DEDUPE_OLDEST_AGE)).isEqualTo(2.5);
    }

    @Test
    void aClosedWorkerLeavesNothingBehind() {
        assertThat(registry.getMeters()).isNotEmpty();

        meters.close();

        assertThat(registry.getMeters()).isEmpty();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double held(String reason) {
        return registry.get(WorkerMeters.PARTITIONS_HELD).tag(WorkerMeters.REASON, reason).gauge().value();
    }

    private double seconds(String name) {
        return registry.get(name).timeGauge().value();
    }
}
