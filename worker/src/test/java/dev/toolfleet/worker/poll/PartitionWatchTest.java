package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionWatchTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private long nanos;
    private final PartitionWatch watch = new PartitionWatch(new WorkerMeters(registry), () -> nanos);

    @Test
    void aTakeOverIsMeasuredFromItsBeginning() {
        watch.begins(0);
        watch.begins(1);
        nanos += Duration.ofSeconds(2).toNanos();
        watch.opened(0, 7, DoneOffsets.from(100));
        watch.tookOver(0);
        watch.cancelled(1);
        watch.tookOver(1);

        assertThat(timer(LoadMeters.TAKE_OVER_TIME).count()).isEqualTo(1);
        assertThat(timer(LoadMeters.TAKE_OVER_TIME).totalTime(TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void aRevocationIsMeasuredOnceAndAnAssignmentThatIsLostNever() {
        watch.revoking();
        nanos += Duration.ofSeconds(3).toNanos();
        watch.closing(false);
        watch.closing(false);
        watch.revoking();
        watch.closing(true);
        watch.closing(false);

        assertThat(timer(LoadMeters.REVOKE_TIME).count()).isEqualTo(1);
        assertThat(timer(LoadMeters.REVOKE_TIME).totalTime(TimeUnit.SECONDS)).isEqualTo(3);
    }

    private Timer timer(String name) {
        return registry.get(name).timer();
    }
}
