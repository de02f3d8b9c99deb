package dev.toolfleet.policy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The stages, alone and in every pair, with every verdict that each can come to.
class EveryPairOfStagesTest {
    static Stream<List<Speech>> pairs() {
        return Speech.all().stream().flatMap(one -> Speech.all().stream()
                .filter(other -> one.stage().compareTo(other.stage()) < 0).map(other -> List.of(one, other)));
    }

    static Stream<List<Speech>> alone() {
        return Speech.all().stream().map(List::of);
    }

    @ParameterizedTest
    @MethodSource({"alone", "pairs"})
    void theOneThatRanksHigherDecides(List<Speech> speeches) {
        PolicyDecision decision = Speech.fleet(speeches).decide("said__it");

        // A denial by default is final before an approval: the safety stage makes nothing easier to call.
        Speech denial = new Speech(Stage.DEFAULT_POLICY, Verdict.DENY);
        boolean unlifted = speeches.contains(denial) && speeches.stream()
                .allMatch(speech -> speech.equals(denial) || speech.stage() == Stage.FINANCE_SAFETY);
        Speech first = unlifted
                ? denial
                : speeches.stream().min(Comparator.comparingInt(Speech::rank).thenComparing(Speech::stage))
                        .orElseThrow();
        assertThat(Fleet.text(decision)).isEqualTo(first.verdict().text());
        assertThat(decision.verdict().cause().stage()).isEqualTo(first.stage());
        assertThat(decision.verdict().cause().verdict()).isEqualTo(first.verdict());
    }

    @ParameterizedTest
    @MethodSource({"alone", "pairs"})
    void everyStageReportsWhatItSays(List<Speech> speeches) {
        PolicyDecision decision = Speech.fleet(speeches).decide("said__it");

        assertThat(decision.stages()).extracting(StageResult::stage).containsExactly(Stage.values());
        for (StageResult result : decision.stages()) {
            Verdict silent = result.stage() == Stage.DEFAULT_POLICY ? Verdict.ALLOW : null;
            Verdict expected = speeches.stream().filter(speech -> speech.stage() == result.stage())
                    .map(Speech::verdict).findFirst().orElse(silent);
            assertThat(result.said().map(Cause::verdict).orElse(null)).as("%s", result.stage()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyStageThatAsksIsNamedToThoseWhoApprove(List<Speech> speeches) {
        PolicyDecision decision = Speech.fleet(speeches).decide("said__it");

        if (decision.verdict() instanceof PolicyVerdict.ApprovalRequired asked) {
            List<Stage> asking = speeches.stream().filter(speech -> speech.verdict() == Verdict.REQUIRE_APPROVAL)
                    .filter(speech -> speech.stage() != Stage.DEFAULT_POLICY || asked.cause().stage() == speech.stage())
                    .map(Speech::stage).toList();
            assertThat(asked.asking()).extracting(Cause::stage).containsExactlyInAnyOrderElementsOf(asking);
        }
    }
}
