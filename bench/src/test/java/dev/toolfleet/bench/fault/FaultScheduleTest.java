package dev.toolfleet.bench.fault;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.bench.fault.FaultSchedule.PlannedFault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FaultScheduleTest {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

    @Test
    void theSameSeedMakesTheSameFaults() {
        assertThat(faults(5, ALL)).isEqualTo(faults(5, ALL)).isNotEqualTo(faults(6, ALL));
    }

    @Test
    void everyKindComesOnceBeforeOneComesAgain() {
        List<PlannedFault> faults = faults(5, ALL);

        for (int round = 0; round < faults.size(); round += ALL.size())
            assertThat(faults.subList(round, round + ALL.size())).extracting(PlannedFault::kind)
                    .containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void onlyTheChosenKindsComeAndEveryWorkerIsMeantOnceInAWhile() {
        List<PlannedFault> faults = faults(5, Set.of(FaultKind.STOP));

        assertThat(faults).extracting(PlannedFault::kind).containsOnly(FaultKind.STOP);
        assertThat(faults).extracting(PlannedFault::slot).contains(0, 1, 2).allMatch(slot -> slot < 3);
    }

    @Test
    void aFreezeOutlastsTheSession() {
        assertThat(faults(5, Set.of(FaultKind.FREEZE))).allMatch(fault -> fault.away().compareTo(SESSION) > 0);
    }

    @Test
    void kindsAreNamedAsTheyArePrintedAndAllMeansAll() {
        assertThat(FaultKind.parse(List.of("kill", "Clock"), false)).containsExactly(FaultKind.KILL, FaultKind.CLOCK);
        assertThat(FaultKind.parse(List.of("all"), false)).as("without gateways")
                .doesNotContain(FaultKind.GATEWAY, FaultKind.SESSION, FaultKind.HOST).hasSize(ALL.size() - 3);
        assertThat(FaultKind.parse(List.of("all"), true)).as("with gateways")
                .doesNotContain(FaultKind.RECREATE, FaultKind.SESSION, FaultKind.HOST).hasSize(ALL.size() - 3);
        assertThatIllegalArgumentException().isThrownBy(() -> FaultKind.parse(List.of("fire"), false))
                .withMessageContaining("faults has 'fire'").withMessageContaining("rewind");
    }

    @Test
    void withoutKindsThereIsNoSchedule() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FaultSchedule(1, Set.of(), 3, SESSION))
                .withMessageContaining("kinds");
    }

    private static List<PlannedFault> faults(long seed, Set<FaultKind> kinds) {
        return Stream.generate(new FaultSchedule(seed, kinds, 3, SESSION)::next).limit(5L * ALL.size()).toList();
    }
}
