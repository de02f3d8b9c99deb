package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadWorkersTest {
    private static final String GROUP = "acme.toolfleet";

    @Test
    void aWorkerThatIsNotInTheGroupIsDead() {
        assertThat(dead(
                List.of("acme.toolfleet.w1.@worker-0", "acme.toolfleet.w1.@worker-1", "acme.toolfleet.w2.@worker-0"),
                Map.of(GROUP, Set.of("w2-poll", "w3-poll")))).containsExactly("acme.toolfleet.w1.@worker-0",
                        "acme.toolfleet.w1.@worker-1");
    }

    @Test
    void aWorkersNameMayHoldDots() {
        assertThat(dead(List.of("acme.toolfleet.pod.7.local.@worker-0", "acme.toolfleet.pod.8.local.@worker-1"),
                Map.of(GROUP, Set.of("pod.7.local-poll")))).containsExactly("acme.toolfleet.pod.8.local.@worker-1");
    }

    @Test
    void thisWorkerIsNeverFenced() {
        assertThat(dead(List.of("acme.toolfleet.me.@worker-0", "acme.toolfleet.me.@worker-1"), Map.of(GROUP, Set.of())))
                .isEmpty();
    }

    @Test
    void idsOfOthersAreLeftAlone() {
        assertThat(dead(List.of("other.w1.@worker-0", "acme.toolfleet2.w1.@worker-0", "acme.w1.@worker-0",
                "acme.toolfleet.w1.@worker-2",
                "acme.toolfleet.streams-1", "acme.toolfleet"), Map.of(GROUP, Set.of()))).isEmpty();
    }

    @Test
    void livingWorkersOfAGroupWhoseIdBeginsLikeOursAreLeftAlone() {
        Map<String, Set<String>> clients = Map.of(GROUP, Set.of("me-poll"), "acme.toolfleet.eu", Set.of("w1-poll"),
                "acme", Set.of("toolfleet.w3-poll"));

        assertThat(dead(List.of("acme.toolfleet.eu.w1.@worker-0", "acme.toolfleet.eu.w2.@worker-0",
                "acme.toolfleet.w3.@worker-0"), clients))
                .as("the first lives in a longer group, the last in a shorter one")
                .containsExactly("acme.toolfleet.eu.w2.@worker-0");
    }

    @Test
    void anIdThatAnotherApplicationChoseIsNeverFenced() {
        assertThat(dead(List.of("acme.toolfleet.runtime.0", "acme.toolfleet.runtime-1"), Map.of(GROUP, Set.of())))
                .isEmpty();
    }

    @Test
    void anIdOfAnEarlierReleaseIsFencedOnceItsWorkerHasLeftTheGroup() {
        List<String> undecided = List.of("acme.toolfleet.old.1", "acme.toolfleet.runtime.0");

        assertThat(dead(undecided, Map.of(GROUP, Set.of("old-poll")), Set.of("old-poll"))).isEmpty();
        assertThat(dead(undecided, Map.of(GROUP, Set.of("new-poll")), Set.of("old-poll")))
                .containsExactly("acme.toolfleet.old.1");
    }

    @Test
    void anEarlierReleaseTakesAWorkersIdForNobodys() {
        assertThat(DeadWorkers.transactionalId(GROUP, "w1.0", 1)).doesNotEndWith(".0").doesNotEndWith(".1");
        assertThat(DeadWorkers.owners(DeadWorkers.transactionalId(GROUP, "w1.0", 1)))
                .contains(new DeadWorkers.Owner(GROUP, "w1.0"));
    }

    private static List<String> dead(List<String> undecided, Map<String, Set<String>> clients) {
        return dead(undecided, clients, Set.of());
    }

    private static List<String> dead(List<String> undecided, Map<String, Set<String>> clients, Set<String> seen) {
        return DeadWorkers.dead(undecided, GROUP, "me", clients, seen);
    }
}
