package dev.toolfleet.bench.fleet;

import java.time.Duration;

import dev.toolfleet.bench.fleet.ProcessUse.MachineTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessUseTest {
    @Test
    void theTimeOfTheMachineIsThatOfItsProcessesAndWhatItsHostTook() {
        MachineTime now = ProcessUse.machine("cpu  100 10 20 5000 300 1 2 40 0 0");

        assertThat(now).isEqualTo(new MachineTime(Duration.ofMillis(1_330), Duration.ofMillis(400)));
        assertThat(now.since(ProcessUse.machine("cpu  50 10 20 4000 300 1 2 30 0 0")))
                .isEqualTo(new MachineTime(Duration.ofMillis(500), Duration.ofMillis(100)));
    }

    @Test
    void anOldKernelThatNamesNoTheftHasNoTime() {
        assertThat(ProcessUse.machine("cpu  1 2 3 4")).isEqualTo(new MachineTime(Duration.ZERO, Duration.ZERO));
    }
}
