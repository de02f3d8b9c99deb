package dev.toolfleet.worker.poll;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.poll.Discrepancy.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StartPointTest {
    private static final StartPoint.Log LOG = new StartPoint.Log(new Incarnation("id-1", "r", "cluster"), 10, 100);

    private long agreed = Long.MAX_VALUE;

    @Test
    void theCommittedOffsetCountsWhereJournalAndLogAgree() {
        DoneOffsets committed = new DoneOffsets(40, List.of(2, 3), 7);

        StartPoint start = start(committed, journaled(30));

        assertThat(start).isEqualTo(new StartPoint(committed, true, false, List.of()));
    }

    @Test
    void aFirstStartHasNothingToCompare() {
        assertThat(start(null, null)).isEqualTo(new StartPoint(DoneOffsets.from(10), false, false, List.of()));
    }

    @Test
    void offsetsOfATopicThatWasMadeAnewCountForNothing() {
        StartPoint start = start(new DoneOffsets(40, List.of(), 7), frontier(30, "id-0", "cluster"));

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(10));
        assertThat(start.sameLog()).isFalse();
        assertThat(start.mirrored()).isFalse();
        assertThat(kinds(start)).containsExactly(Kind.RECREATED);
    }

    @Test
    void aCopyInAnotherClusterIsNoTopicMadeAnew() {
        StartPoint start = start(new DoneOffsets(40, List.of(), 7), frontier(30, "id-0", "elsewhere"));

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(10));
        assertThat(start.mirrored()).isTrue();
    }

    @Test
    void aTruncatedLogIsReadFromWhereItDeparts() {
        agreed = 35;

        StartPoint start = start(new DoneOffsets(40, List.of(2, 3), 7), journaled(30));

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(35));
        assertThat(start.sameLog()).isFalse();
        assertThat(kinds(start)).containsExactly(Kind.TRUNCATED);
    }

    // Otherwise: records that came to lie where done ones lay are skipped.
    @Test
    void ofATruncatedLogOnlyWhatLiesBeforeTheCutIsDone() {
        agreed = 50;

        StartPoint start = start(new DoneOffsets(40, List.of(2, 3, 3, 10), 7), null);

        assertThat(start.calls()).isEqualTo(new DoneOffsets(40, List.of(2, 3, 3, 2)));
        assertThat(kinds(start)).containsExactly(Kind.TRUNCATED);
    }

    @Test
    void anOffsetBehindTheEndIsBelievedBelowTheEndOnly() {
        StartPoint start = start(new DoneOffsets(140, List.of(), 7), null);

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(100));
        assertThat(kinds(start)).containsExactly(Kind.TRUNCATED);
    }

    @Test
    void anOffsetBehindTheEndWithoutALeaderEpochCountsForNothing() {
        StartPoint start = start(DoneOffsets.from(140), null);

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(10));
        assertThat(kinds(start)).containsExactly(Kind.TRUNCATED);
    }

    @Test
    void theJournaledFrontierIsComparedWithTheLogToo() {
        agreed = 25;

        StartPoint start = start(null, journaled(30));

        assertThat(start.calls()).isEqualTo(DoneOffsets.from(25));
        assertThat(kinds(start)).containsExactly(Kind.TRUNCATED, Kind.EXPIRED);
    }

    @Test
    void nothingBelowTheJournaledFrontierStartsAgainThoughTheGroupIsSetBack() {
        StartPoint start = start(new DoneOffsets(20, List.of(5, 5), 7), journaled(30));

        assertThat(start.calls().frontier()).isEqualTo(30);
        assertThat(start.sameLog()).isTrue();
        assertThat(kinds(start)).containsExactly(Kind.SET_BACK);
    }

    @Test
    void anExpiredOffsetIsReplacedByTheJournaledFrontier() {
        StartPoint start = start(null, journaled(30));

        assertThat(start.calls().frontier()).isEqualTo(30);
        assertThat(kinds(start)).containsExactly(Kind.EXPIRED);
    }

    @Test
    void recordsThatRetentionRemovedUnfinishedAreCounted() {
        StartPoint start = start(new DoneOffsets(4, List.of(1, 8, 2, 3), 7), null);

        assertThat(start.calls()).as("10 to 12 are done").isEqualTo(new DoneOffsets(13, List.of(2, 3), 7));
        assertThat(start.found()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.DELETED_UNREAD);
            assertThat(found.text()).contains("up to 6 records");
        });
    }

    private StartPoint start(@Nullable DoneOffsets committed, @Nullable PartitionFrontier journaled) {
        return StartPoint.of(committed, journaled, LOG, (offset, epoch) -> Math.min(offset, agreed));
    }

    private static List<Kind> kinds(StartPoint start) {
        return start.found().stream().map(Discrepancy::kind).toList();
    }

    private static PartitionFrontier journaled(long offset) {
        return frontier(offset, "id-1", "cluster");
    }

    private static PartitionFrontier frontier(long offset, String topicId, String cluster) {
        return new PartitionFrontier(offset, Instant.EPOCH, topicId, 6, "r", cluster);
    }
}
