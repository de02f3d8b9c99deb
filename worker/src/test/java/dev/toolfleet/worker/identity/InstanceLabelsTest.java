package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.LabelOrder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InstanceLabelsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
    private static final DedupeConfig DEDUPE = new DedupeConfig(Duration.ofMinutes(10), 100);

    private final PartitionState state = new PartitionState(DEDUPE, () -> 0);

    @Test
    void aLabelCountsAtOnceAndForItsInstanceAlone() {
        state.labels().add("i", List.of(added("untrusted", 1), added("sensitive", 1)), NOW);

        assertThat(names(state, "i")).containsExactly("sensitive", "untrusted");
        assertThat(names(state, "other")).isEmpty();
    }

    @Test
    void theNewestResultIsNamedAndTheCountGrows() {
        state.labels().add("i", List.of(added("untrusted", 1)), NOW);
        WrittenLabels written = state.labels().add("i", List.of(added("untrusted", 2)), NOW);

        assertThat(written.added()).containsExactly(new InstanceLabel("i", 2, 1, added("untrusted", 2)));
        assertThat(state.labels().of("i")).containsExactly(added("untrusted", 2));
    }

    /// Results of calls that run side by side may reach the journal in either order.
    @Test
    void theNextOwnerReadsEveryLabelWhateverTheOrderOfTheEntriesIs() {
        List<InstanceLabel> first = state.labels().add("i", List.of(added("untrusted", 1)), NOW).added();
        List<InstanceLabel> second = state.labels().add("i", List.of(added("sensitive", 2)), NOW).added();
        PartitionState heir = new PartitionState(DEDUPE, () -> 0);
        second.forEach(heir.labels()::restore);
        first.forEach(heir.labels()::restore);

        assertThat(heir.labels().of("i")).isEqualTo(state.labels().of("i"));
        assertThat(heir.labels().add("i", List.of(added("untrusted", 3)), NOW).added()).extracting(InstanceLabel::count)
                .containsExactly(3L);
    }

    @Test
    void aTombstoneEndsOneLabelOfOneInstance() {
        state.labels().add("i/1", List.of(added("untrusted", 1), added("sensitive", 1)), NOW);
        state.labels().add("i", List.of(added("untrusted", 2)), NOW);
        String key = InstanceLabel.key("i/1", "untrusted/1");
        state.labels().restoreEnd(InstanceLabel.instanceOf(key).orElseThrow(), InstanceLabel.termOf(key));

        assertThat(names(state, "i/1")).containsExactly("sensitive");
        assertThat(names(state, "i")).containsExactly("untrusted");
    }

    @Test
    void whatAnOperatorClearsCountsNoMoreAndIsWrittenWithTheNextResult() {
        state.labels().add("i", List.of(added("untrusted", 1), added("sensitive", 1)), NOW);
        state.labels().clearedBy(label -> label.added().label().equals("untrusted") ? 1 : 0);

        assertThat(names(state, "i")).containsExactly("sensitive");
        WrittenLabels next = state.labels().add("i", List.of(), NOW);
        assertThat(next.added()).isEmpty();
        assertThat(next.cleared()).extracting(label -> label.added().label()).containsExactly("untrusted");
        assertThat(next.cleared()).allMatch(label -> !label.counts());
        assertThat(state.labels().add("i", List.of(), NOW).cleared()).as("once").isEmpty();
    }

    @Test
    void aResultAfterTheOneThatTheOperatorSawKeepsItsLabel() {
        state.labels().add("i", List.of(added("untrusted", 1)), NOW);
        state.labels().add("i", List.of(added("untrusted", 2)), NOW);
        state.labels().clearedBy(label -> 1);
        assertThat(names(state, "i")).containsExactly("untrusted");

        state.labels().clearedBy(label -> 2);
        WrittenLabels next = state.labels().add("i", List.of(added("untrusted", 3)), NOW);
        assertThat(next.cleared()).extracting(InstanceLabel::term).containsExactly("untrusted/1");
        assertThat(next.added()).extracting(InstanceLabel::term).as("a key of its own").containsExactly("untrusted/3");
        assertThat(names(state, "i")).containsExactly("untrusted");
    }

    /// Otherwise: the end of the cleared entry is committed behind the new entry, and deletes it.
    @Test
    void theNextOwnerReadsALabelThatCameBackWhateverTheOrderOfTheEntriesIs() {
        InstanceLabel old = state.labels().add("i", List.of(added("untrusted", 1)), NOW).added().getFirst();
        state.labels().clearedBy(label -> 1);
        WrittenLabels ends = state.labels().add("i", List.of(), NOW);
        WrittenLabels begins = state.labels().add("i", List.of(added("untrusted", 3)), NOW);
        PartitionState heir = new PartitionState(DEDUPE, () -> 0);
        heir.labels().restore(old);
        begins.added().forEach(heir.labels()::restore);
        ends.cleared().forEach(heir.labels()::restore);

        assertThat(names(heir, "i")).containsExactly("untrusted");
    }

    /// The order holds for a day, also after the entries that it cleared are gone.
    @Test
    void aLabelThatComesBackAfterItsEntryIsGoneCounts() {
        ClearedLabels orders = new ClearedLabels(InstantSource.fixed(NOW));
        state.labels().clearedBy(by(orders));
        state.labels().add("i", List.of(added("sensitive", 1)), NOW);
        state.labels().add("i", List.of(added("untrusted", 2)), NOW);
        orders.add(new LabelOrder("i", LabelOrder.CLEAR, 2, null, "ann", "read"), NOW.toEpochMilli());
        assertThat(state.labels().add("i", List.of(), NOW).cleared()).hasSize(2);

        assertThat(state.labels().add("i", List.of(added("untrusted", 3)), NOW).added())
                .extracting(InstanceLabel::count)
                .containsExactly(3L);
        assertThat(names(state, "i")).containsExactly("untrusted");
    }

    /// Otherwise: the next owner has not read the order yet and counts from 1 again, and the order clears its new labels.
    @Test
    void theNextOwnerGoesOnCountingAfterALabelIsCleared() {
        state.labels().add("i", List.of(added("untrusted", 1)), NOW);
        ClearedLabels orders = new ClearedLabels(InstantSource.fixed(NOW));
        orders.add(new LabelOrder("i", LabelOrder.CLEAR, 1, null, "ann", "read"), NOW.toEpochMilli());
        state.labels().clearedBy(by(orders));
        PartitionState heir = new PartitionState(DEDUPE, () -> 0);
        state.labels().add("i", List.of(), NOW).cleared().forEach(heir.labels()::restore);
        assertThat(names(heir, "i")).as("cleared by its entry alone").isEmpty();

        List<InstanceLabel> anew = heir.labels().add("i", List.of(added("untrusted", 5)), NOW).added();
        PartitionState third = new PartitionState(DEDUPE, () -> 0);
        third.labels().clearedBy(by(orders));
        anew.forEach(third.labels()::restore);
        assertThat(names(third, "i")).containsExactly("untrusted");
    }

    @Test
    void theEntryOfAClearedLabelEndsWhenNoOrderCanNameItAnyMore() {
        state.labels().add("i", List.of(added("untrusted", 1)), NOW);
        state.labels().clearedBy(label -> 1);
        state.labels().add("i", List.of(), NOW);

        Instant almost = NOW.plus(InstanceLabels.CLEARED_KEPT);
        assertThat(state.labels().add("i", List.of(), almost).ended()).isEmpty();
        assertThat(state.labels().add("i", List.of(), almost.plusMillis(1)).ended())
                .extracting(InstanceLabel::term).containsExactly("untrusted/1");
    }

    @Test
    void anOrderHoldsForItsTime() {
        state.labels().add("i", List.of(added("untrusted", 1)), NOW);
        Instant[] now = {NOW};
        ClearedLabels orders = new ClearedLabels(() -> now[0]);
        state.labels().clearedBy(by(orders));
        orders.add(new LabelOrder("i", LabelOrder.CLEAR, 1, null, "ann", "read"), NOW.toEpochMilli());
        assertThat(names(state, "i")).isEmpty();

        now[0] = NOW.plus(LabelOrder.HOLDS).plusMillis(1);
        assertThat(names(state, "i")).containsExactly("untrusted");
    }

    /// Otherwise: a label ends with one result and begins with the next, the fleet has not read the end yet, and the new
    /// one is taken for known.
    @Test
    void aLabelThatWasClearedIsPublishedAgainWhateverTheFleetKnows() {
        KnownFleet fleet = new KnownFleet();
        state.labels().knownFrom(fleet);
        assertThat(state.labels().add("i", List.of(added("untrusted", 1)), NOW).published()).hasSize(1);
        fleet.term = "untrusted/1";
        assertThat(state.labels().add("i", List.of(added("untrusted", 2)), NOW).published()).isEmpty();

        state.labels().clearedBy(label -> 2);
        assertThat(state.labels().add("i", List.of(), NOW).cleared()).hasSize(1);
        assertThat(state.labels().add("i", List.of(added("untrusted", 4)), NOW).published())
                .extracting(InstanceLabel::count).containsExactly(3L);
    }

    @Test
    void theNextOwnerPublishesWhatTheFleetKnowsOfAnEarlierTermOnly() {
        KnownFleet fleet = new KnownFleet();
        fleet.term = "untrusted/1";
        state.labels().knownFrom(fleet);
        state.labels().restore(new InstanceLabel("i", 4, 4, added("untrusted", 1)));

        assertThat(state.labels().add("i", List.of(added("untrusted", 5)), NOW).published()).hasSize(1);
    }

    @Test
    void labelsOfOthersCountBesideItsOwn() {
        KnownFleet fleet = new KnownFleet();
        AddedLabel theirs = new AddedLabel("untrusted", "web__get", "c9", 9, "other");
        fleet.received = Map.of("untrusted", theirs);
        state.labels().knownFrom(fleet);
        state.labels().add("i", List.of(added("sensitive", 1)), NOW);

        assertThat(state.labels().of("i")).containsExactly(added("sensitive", 1), theirs);
        state.labels().add("i", List.of(added("untrusted", 2)), NOW);
        assertThat(state.labels().of("i")).containsExactly(added("sensitive", 1), added("untrusted", 2));
        assertThat(state.labels().of("other")).isEmpty();
    }

    /// Knows one label of `i`.
    private static final class KnownFleet implements InstanceLabels.Fleet {
        String term = "";
        Map<String, AddedLabel> received = Map.of();

        @Override
        public boolean isPublished(String instance, String wanted) {
            return term.equals(wanted);
        }

        @Override
        public Map<String, AddedLabel> receivedBy(String instance, String reader) {
            return instance.equals("i") ? received : Map.of();
        }

        @Override
        public boolean caughtUp() {
            return true;
        }
    }

    private static ToLongFunction<InstanceLabel> by(ClearedLabels orders) {
        return label -> orders.upTo(label.instanceKey(), label.added().label());
    }

    private static List<String> names(PartitionState state, String instance) {
        return state.labels().of(instance).stream().map(AddedLabel::label).toList();
    }

    private static AddedLabel added(String label, long offset) {
        return new AddedLabel(label, "http-fetch__get", "c" + offset, offset, "i");
    }
}
