package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.app.Readiness.Life;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.poll.OwnershipCounts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReadinessTest {
    private static final OwnershipCounts WELL = new OwnershipCounts(true, 2, 2, Map.of());
    private static final Readiness.Progress PROGRESS = new Readiness.Progress(Duration.ZERO, Duration.ZERO,
            Duration.ZERO);
    private static final Readiness.Abandoned NONE = new Readiness.Abandoned(0, 100);

    @Test
    void aWorkerIsReadyWhenAllIsWell() {
        assertThat(of(WELL).reasons()).isEmpty();
        assertThat(of(new OwnershipCounts(true, 0, 0, Map.of())).reasons()).as("a spare one").isEmpty();
    }

    @Test
    void aWorkerIsNotReadyBeforeEachOfItsPartitionsHasStarted() {
        assertThat(of(new OwnershipCounts(false, 0, 0, Map.of())).reasons()).containsExactly("it is not in its group");
        assertThat(of(new OwnershipCounts(true, 2, 1, Map.of())).reasons())
                .containsExactly("it is taking partitions over");
    }

    @Test
    void aPartitionThatIsNeverStartedIsAReasonOfItsOwn() {
        OwnershipCounts grown = new OwnershipCounts(true, 3, 2, Map.of(Hold.UNEXPECTED, 1));

        assertThat(
                new Readiness(Life.RUNS, false, grown, List.of("partition 2 is held"), Map.of(), PROGRESS, NONE, true)
                        .reasons())
                .containsExactly("partition 2 is held");
    }

    @Test
    void aWorkerThatFencedItselfIsNotReadyThoughItOwnsNothing() {
        Readiness fenced = new Readiness(Life.RUNS, true, new OwnershipCounts(true, 0, 0, Map.of()), List.of(),
                Map.of(),
                PROGRESS, NONE, true);

        assertThat(fenced.reasons()).singleElement().asString().contains("session timeout");
    }

    @Test
    void aWorkerThatDoesNotFollowPendingCallsIsNotReady() {
        Readiness alone = new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(), PROGRESS, NONE, false);

        assertThat(alone.reasons()).singleElement().asString().contains("topology of pending calls");
    }

    @Test
    void aWorkerThatCanCommitNothingIsNotReady() {
        assertThat(failing(Duration.ofSeconds(5)).reasons()).as("a moment is borne").isEmpty();
        assertThat(failing(Duration.ofMillis(5_001)).reasons()).containsExactly("nothing can be committed");
    }

    @Test
    void aWorkerWhoseClockIsRefusedNamesItsClock() {
        Readiness ahead = new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(),
                new Readiness.Progress(Duration.ZERO, Duration.ZERO, Duration.ZERO, "tool.error"), NONE, true);

        assertThat(ahead.reasons()).singleElement().asString().contains("'tool.error'").contains("clock");
    }

    @Test
    void aWorkerThatReadsNothingOfWhatItCouldReadIsNotReady() {
        assertThat(unread(Readiness.UNREAD_TOLERATED).reasons()).as("a broker that moves is borne").isEmpty();
        assertThat(unread(Readiness.UNREAD_TOLERATED.plusMillis(1)).reasons()).singleElement().asString()
                .contains("reads none");
    }

    @Test
    void aWorkerWhoseStateFollowerHasNotTurnedForTenSecondsIsNotReady() {
        assertThat(standing(Readiness.FOLLOWER_TOLERATED).reasons()).as("a slow view is borne").isEmpty();
        assertThat(standing(Readiness.FOLLOWER_TOLERATED.plusMillis(1)).reasons()).singleElement().asString()
                .contains("state follower has not turned for 10 s");
    }

    private static Readiness standing(Duration since) {
        return new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(),
                new Readiness.Progress(Duration.ZERO, Duration.ZERO, since), NONE, true);
    }

    private static Readiness unread(Duration since) {
        return new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(),
                new Readiness.Progress(Duration.ZERO, since, Duration.ZERO),
                NONE,
                true);
    }

    @Test
    void aWorkerOfWhichEveryPartitionSitsOutIsNotReady() {
        assertThat(of(new OwnershipCounts(true, 2, 2, Map.of(Hold.QUARANTINED, 1))).reasons()).isEmpty();
        assertThat(of(new OwnershipCounts(true, 2, 2, Map.of(Hold.QUARANTINED, 2))).reasons())
                .singleElement().asString().contains("cannot be written");
        assertThat(of(new OwnershipCounts(true, 2, 2, Map.of(Hold.METADATA_FULL, 2))).reasons())
                .as("busy, not broken").isEmpty();
    }

    @Test
    void aWorkerBearsAsManyAbandonedHandlersAsItIsTold() {
        assertThat(abandoned(100, 100).reasons()).isEmpty();
        assertThat(abandoned(101, 100).reasons()).singleElement().asString().contains("worker.maxAbandoned=100");
        assertThat(abandoned(1, 0).reasons()).hasSize(1);
    }

    @Test
    void everyReasonIsSaid() {
        Readiness all = new Readiness(Life.DRAINS, true, new OwnershipCounts(true, 1, 1, Map.of(Hold.QUARANTINED, 1)),
                List.of("partition 4 is held"), Map.of("acme/b", "no such class", "acme/a", "gone"),
                new Readiness.Progress(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1)),
                new Readiness.Abandoned(5, 4), false);

        assertThat(all.reasons()).hasSize(11).endsWith("acme/a cannot be loaded: gone",
                "acme/b cannot be loaded: no such class");
    }

    @Test
    void aWorkerThatHasStoppedSaysNothingElse() {
        assertThat(new Readiness(Life.ENDED, true, new OwnershipCounts(false, 0, 0, Map.of()), List.of(),
                Map.of("a/b", "x"),
                PROGRESS, new Readiness.Abandoned(9, 0), false).reasons()).containsExactly("it has stopped");
    }

    private static Readiness of(OwnershipCounts partitions) {
        return new Readiness(Life.RUNS, false, partitions, List.of(), Map.of(), PROGRESS, NONE, true);
    }

    private static Readiness failing(Duration since) {
        return new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(),
                new Readiness.Progress(since, Duration.ZERO, Duration.ZERO),
                NONE,
                true);
    }

    private static Readiness abandoned(int running, int max) {
        return new Readiness(Life.RUNS, false, WELL, List.of(), Map.of(), PROGRESS,
                new Readiness.Abandoned(running, max),
                true);
    }
}
