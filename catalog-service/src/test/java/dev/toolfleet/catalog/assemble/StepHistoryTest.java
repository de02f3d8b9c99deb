package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StepHistoryTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");

    @Test
    void theFirstStepHasNothingBeforeIt() {
        assertThat(steps("s1").recent()).isEmpty();
    }

    @Test
    void earlierStepsFollowNewestFirst() {
        assertThat(recent(steps("s1", "s2", "s3"))).containsExactly("s2", "s1");
    }

    @Test
    void sevenEarlierStepsAreRemembered() {
        assertThat(recent(steps("s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"))).containsExactly("s8", "s7",
                "s6", "s5", "s4", "s3", "s2");
    }

    @Test
    void theSameStepAgainReplacesItself() {
        assertThat(recent(steps("s1", "s2", "s2"))).containsExactly("s1");
        assertThat(recent(steps("s1", "s2", "s3", "s1"))).containsExactly("s3", "s2");
    }

    @Test
    void aStepOfAnotherTurnIsAnotherStep() {
        StepCatalog first = StepHistory.started(null, started("t1", "s1"), catalog("d1"), NOW);
        StepCatalog second = StepHistory.started(first, started("t2", "s1"), catalog("d2"), NOW);

        assertThat(second.recent()).containsExactly(new RecentStep("t1", "s1", "d1"));
    }

    @Test
    void anEndedStepIsMarkedOnce() {
        StepCatalog running = steps("s1", "s2");

        StepCatalog ended = StepHistory.ended(running, end("s2"), NOW.plusSeconds(5)).orElseThrow();
        assertThat(ended.ended()).isTrue();
        assertThat(ended.publishedAt()).isEqualTo(NOW.plusSeconds(5));
        assertThat(recent(ended)).containsExactly("s1");
        assertThat(ended.revisions()).isEqualTo(Map.of("other", 4L));
        assertThat(StepHistory.ended(ended, end("s2"), NOW)).isEmpty();
    }

    @Test
    void theEndOfAnEarlierOrUnknownStepChangesNothing() {
        assertThat(StepHistory.ended(steps("s1", "s2"), end("s1"), NOW)).isEmpty();
        assertThat(StepHistory.ended(null, end("s1"), NOW)).isEmpty();
    }

    @Test
    void theNextStepIsNotEnded() {
        StepCatalog ended = StepHistory.ended(steps("s1"), end("s1"), NOW).orElseThrow();

        assertThat(StepHistory.started(ended, started("t", "s2"), catalog("d"), NOW).ended()).isFalse();
    }

    private static StepCatalog steps(String... ids) {
        @Nullable
        StepCatalog newest = null;
        for (String id : ids)
            newest = StepHistory.started(newest, started("t", id), catalog("d-" + id), NOW);
        if (newest == null)
            throw new IllegalArgumentException("no steps");
        return newest;
    }

    private static StepStarted started(String turn, String id) {
        return new StepStarted("i", "coder", turn, id, null, null, null, null);
    }

    private static StepEnded end(String id) {
        return new StepEnded("i", "coder", "t", id, null);
    }

    private static AgentCatalog catalog(String digest) {
        return new AgentCatalog("acme", 1, Map.of("other", 4L), new CatalogContent("[]", digest, 2), "sha256:policy");
    }

    private static List<String> recent(StepCatalog catalog) {
        return catalog.recent().stream().map(RecentStep::stepId).toList();
    }
}
