package dev.toolfleet.worker.completion;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.Decision.Verdict;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.at;
import static dev.toolfleet.worker.completion.Handles.decided;
import static org.assertj.core.api.Assertions.assertThat;

/// Decisions in any order and repetition, before and after the call is pending, with the state stored after each: the call
/// runs once, and only by as many different people as its rule wants.
class FourEyesPropertyTest {
    private static final DecisionContext NOW = at(START.plusSeconds(10));

    @Property(seed = "68", tries = 3_000)
    void aCallRunsOnlyByEnoughDifferentPeopleAndEndsOnce(@ForAll("decisions") List<Decision> decisions,
            @ForAll @IntRange(min = 1, max = 3) int quorum, @ForAll("requesters") String requester,
            @ForAll @IntRange(max = 8) int pendedAt) {
        String notBy = requester.isEmpty() ? null : requester;
        List<HandleEffect> effects = play(decisions, quorum, notBy, Math.min(pendedAt, decisions.size()));

        Expected expected = Expected.of(decisions, quorum, notBy);
        assertThat(
                effects.stream().filter(HandleEffect.Approved.class::isInstance).map(HandleEffect.Approved.class::cast)
                        .map(approved -> approved.grant().people()))
                .containsExactlyElementsOf(expected.grants());
        assertThat(effects).filteredOn(HandleEffect.Outcome.class::isInstance).hasSize(expected.rejected() ? 1 : 0);
        long closed = expected.rejected() || !expected.grants().isEmpty() ? 1 : 0;
        assertThat(effects).filteredOn(HandleEffect.Tombstone.class::isInstance).hasSize((int) closed);
    }

    @Property(seed = "69", tries = 1_000)
    void withoutARejectionTheOrderOfApprovalsDecidesNothing(@ForAll("approvals") List<Decision> decisions,
            @ForAll @IntRange(min = 2, max = 3) int quorum) {
        boolean runs = runs(decisions, quorum);

        assertThat(runs(decisions.reversed(), quorum)).isEqualTo(runs);
        List<Decision> twice = new ArrayList<>(decisions);
        twice.addAll(decisions);
        assertThat(runs(twice, quorum)).isEqualTo(runs);
    }

    private static boolean runs(List<Decision> decisions, int quorum) {
        return play(decisions, quorum, "ann", 0).stream().anyMatch(HandleEffect.Approved.class::isInstance);
    }

    private static List<HandleEffect> play(List<Decision> decisions, int quorum, @Nullable String notBy, int pendedAt) {
        List<HandleEffect> effects = new ArrayList<>();
        HandleLifecycle state = UnknownHandle.HANDLE;
        for (int i = 0; i <= decisions.size(); i++) {
            if (i == pendedAt)
                state = after(state.pended(FourEyesTest.asking(quorum, notBy), NOW), effects);
            if (i < decisions.size())
                state = after(state.told(decided(decisions.get(i)), NOW), effects);
        }
        return effects;
    }

    /// As it comes back from the store, on this worker or on the next.
    private static HandleLifecycle after(HandleLifecycle.Transition step, List<HandleEffect> effects) {
        effects.addAll(step.effects());
        return StateCodec.read(StateCodec.write(step.next()));
    }

    /// Expected effects of decisions, computed without states.
    private record Expected(List<List<String>> grants, boolean rejected) {
        static Expected of(List<Decision> decisions, int quorum, @Nullable String notBy) {
            Set<String> people = new LinkedHashSet<>();
            for (Decision decision : decisions) {
                String by = decision.by();
                if (decision.decision() == Verdict.REJECT)
                    return new Expected(List.of(), true);
                if (quorum == 1 && notBy == null)
                    return new Expected(List.of(by == null ? List.of() : List.of(by)), false);
                if (by != null && !by.equals(notBy))
                    people.add(by);
                if (people.size() == quorum)
                    return new Expected(List.of(List.copyOf(people)), false);
            }
            return new Expected(List.of(), false);
        }
    }

    @Provide
    static Arbitrary<String> requesters() {
        return Arbitraries.of("", "ann", "eve");
    }

    @Provide
    static Arbitrary<List<Decision>> decisions() {
        return decision(Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(Verdict.APPROVE)),
                Tuple.of(1, Arbitraries.just(Verdict.REJECT)))).list().ofMaxSize(8);
    }

    @Provide
    static Arbitrary<List<Decision>> approvals() {
        return decision(Arbitraries.just(Verdict.APPROVE)).list().ofMaxSize(8);
    }

    private static Arbitrary<Decision> decision(Arbitrary<Verdict> verdicts) {
        return Combinators.combine(Arbitraries.of("ann", "ben", "cho", "Ann").injectNull(0.1), verdicts)
                .as((by, verdict) -> new Decision(HANDLE, verdict, by, null));
    }
}
