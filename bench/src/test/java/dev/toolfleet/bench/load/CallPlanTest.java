package dev.toolfleet.bench.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallPlanTest {
    private static final int CALLS = 20_000;

    @Test
    void theSameSeedMakesTheSameCalls() {
        assertThat(calls(7)).isEqualTo(calls(7)).isNotEqualTo(calls(8));
    }

    @Test
    void callsAreSpacedEvenly() {
        List<PlannedCall> calls = calls(1);

        assertThat(calls.get(0).at()).isEqualTo(Duration.ZERO);
        assertThat(calls.get(500).at()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void mostAreQuickSomeSlowFewVerySlowAndSomeAreWrittenTwice() {
        List<PlannedCall> calls = calls(1);

        assertThat(share(calls, call -> call.work().takes().toMillis() < 20)).isGreaterThan(0.9);
        assertThat(share(calls, call -> call.work().takes().toMillis() >= 200)).isBetween(0.01, 0.05);
        assertThat(share(calls, call -> call.work().takes().toMillis() >= 2000)).isBetween(0.001, 0.01);
        assertThat(calls).allMatch(call -> call.work().takes().toSeconds() < 20);
        assertThat(share(calls, call -> call.again().isPresent())).isBetween(0.005, 0.015);
        assertThat(calls).allMatch(call -> call.again().filter(at -> at.compareTo(call.at()) < 0).isEmpty());
    }

    @Test
    void everyKindOccursAndIdsAreUnique() {
        List<PlannedCall> calls = calls(1);
        Map<Kind, Long> kinds = calls.stream()
                .collect(Collectors.groupingBy(call -> call.work().kind(), Collectors.counting()));

        assertThat(kinds).containsOnlyKeys(Kind.values());
        assertThat(kinds.values()).allMatch(count -> count > CALLS / 5);
        assertThat(calls.stream().map(PlannedCall::id).distinct()).hasSize(CALLS);
    }

    @Test
    void everyCourseOccursAndFewAnswersAreLong() {
        List<PlannedCall> calls = calls(1);

        assertThat(calls.stream().map(call -> call.work().course()).distinct())
                .containsExactlyInAnyOrder(Course.DIRECT, Course.PENDING, Course.APPROVED, Course.REJECTED);
        assertThat(share(calls, call -> call.work().course() == Course.DIRECT)).isGreaterThan(0.9);
        assertThat(share(calls, call -> call.work().bytes() > 1_000)).isBetween(0.02, 0.06);
        assertThat(calls).allMatch(call -> call.work().bytes() <= 1_000_000)
                .anyMatch(call -> call.work().bytes() > 900_000);
    }

    @Test
    void withLabelsACallThatSendsIsGuardedOnceItsInstanceHasBoth() {
        List<PlannedCall> calls = Stream.generate(new CallPlan(new Random(1), 50, true)::next).limit(CALLS).toList();
        Map<String, Set<Kind>> labels = new HashMap<>();

        for (PlannedCall call : calls) {
            Set<Kind> its = labels.computeIfAbsent(call.instance(), instance -> new HashSet<>());
            boolean guarded = call.work().kind() == Kind.ONCE && !call.work().course().isAlwaysAsked()
                    && its.containsAll(Set.of(Kind.READ_ONLY, Kind.IDEMPOTENT));
            assertThat(call.work().course() == Course.GUARDED).as(call.id()).isEqualTo(guarded);
            if (!call.work().course().isAlwaysAsked())
                its.add(call.work().kind());
        }
        assertThat(share(calls, call -> call.work().course() == Course.GUARDED)).isBetween(0.2, 0.35);
    }

    @Test
    void noInstanceIsGivenMoreThanItCanDo() {
        Map<String, Long> work = Stream.generate(new CallPlan(new Random(3), 500, false)::next).limit(CALLS)
                .collect(Collectors.groupingBy(PlannedCall::instance,
                        Collectors.summingLong(call -> call.work().takes().toMillis())));

        // 40 s of calls, and at most one very slow one more.
        assertThat(work.values()).allMatch(millis -> millis < 40_000 + 3_000 + 20_000);
    }

    private static double share(List<PlannedCall> calls, Function<PlannedCall, Boolean> which) {
        return calls.stream().filter(which::apply).count() / (double) calls.size();
    }

    private static List<PlannedCall> calls(long seed) {
        return Stream.generate(new CallPlan(new Random(seed), 50, false)::next).limit(CALLS).toList();
    }
}
