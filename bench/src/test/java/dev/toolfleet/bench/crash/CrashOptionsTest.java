package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.Set;

import dev.toolfleet.bench.effect.EffectHandlers;
import dev.toolfleet.bench.fault.FaultKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CrashOptionsTest {
    private static final Set<FaultKind> KILL = Set.of(FaultKind.KILL);

    @Test
    void whatCannotBeDoneIsRefusedByNameAndValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrashOptions(Duration.ZERO, 1, 50, KILL, 1, 0, 0, EffectHandlers.JAVA, false))
                .withMessageContaining("minutes is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 0, KILL, 1, 0, 0, EffectHandlers.JAVA, false))
                .withMessageContaining("calls-per-second is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 50, Set.of(), 1, 0, 0, EffectHandlers.JAVA,
                                false))
                .withMessageContaining("faults is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 50, KILL, 2, 0, 0, EffectHandlers.JAVA, false))
                .withMessageContaining("brokers is 2");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 50, KILL, 1, 5, 0, EffectHandlers.JAVA, false))
                .withMessageContaining("gateways is 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrashOptions(Duration.ofMinutes(1), 1, 50, Set.of(FaultKind.GATEWAY), 1, 0, 0,
                        EffectHandlers.JAVA, false))
                .withMessageContaining("faults has 'gateway'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrashOptions(Duration.ofMinutes(1), 1, 50, Set.of(FaultKind.RECREATE), 1, 2, 0,
                        EffectHandlers.JAVA, false))
                .withMessageContaining("faults has 'recreate'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrashOptions(Duration.ofMinutes(1), 1, 50, Set.of(FaultKind.SESSION), 1, 0, 0,
                        EffectHandlers.JAVA, false))
                .withMessageContaining("faults has 'session'");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 50, KILL, 1, 0, 5, EffectHandlers.JAVA, false))
                .withMessageContaining("sessions is 5");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new CrashOptions(Duration.ofMinutes(1), 1, 50, KILL, 1, 2, 0, EffectHandlers.JAVA, true))
                .withMessageContaining("labels is true, and gateways is 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CrashOptions(Duration.ofMinutes(1), 1, 50, Set.of(FaultKind.RECREATE), 1, 0, 0,
                        EffectHandlers.JAVA, true))
                .withMessageContaining("faults has 'recreate', and labels is true");
    }
}
