package dev.toolfleet.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StepWaitsTest {
    private final StepWaits waits = new StepWaits();

    @Test
    void aStepGetsItsContentWhicheverIsReadFirst() {
        Fake early = waiting("step-1");
        Fake late = waiting("step-2");

        waits.content("sha256:a", tools("one"));
        waits.catalog(catalog("step-1", "sha256:a"));
        waits.catalog(catalog("step-2", "sha256:b"));
        assertThat(late.views).isEmpty();
        assertThat(waits.awaitedContent(late)).contains("sha256:b");
        waits.content("sha256:b", tools("one", "two"));

        assertThat(early.views).singleElement().extracting(StepCatalogView::digest).isEqualTo("sha256:a");
        assertThat(late.views).singleElement().satisfies(view -> {
            assertThat(view.stepId()).isEqualTo("step-2");
            assertThat(view.tools()).extracting(ToolCatalogItem::name).containsExactly("one", "two");
        });
        assertThat(waits.all()).isEmpty();
    }

    @Test
    void theCatalogOfALaterStepStillNamesTheContentOfAnEarlierOne() {
        Fake step = waiting("step-1");
        waits.content("sha256:a", tools("one"));

        waits.catalog(catalog("step-2", "sha256:b", new RecentStep("t-1", "step-1", "sha256:a")));

        assertThat(step.views).singleElement().extracting(StepCatalogView::digest).isEqualTo("sha256:a");
    }

    @Test
    void theCatalogOfAnEarlierStepIsNotTheAnswer() {
        Fake step = waiting("step-2");
        waits.content("sha256:a", tools("one"));

        waits.catalog(catalog("step-1", "sha256:a"));

        assertThat(step.views).isEmpty();
        assertThat(waits.concerns("i/coder")).isTrue();
    }

    @Test
    void aContentThatWasForgottenIsAskedForAgain() {
        waits.content("sha256:first", tools("one"));
        assertThat(waits.catalog(catalog("step-0", "sha256:first"))).isFalse();
        for (int i = 0; i < StepWaits.MAX_CONTENTS; i++)
            waits.content("sha256:" + i, tools("other"));
        Fake step = waiting("step-1");

        boolean readAgain = waits.catalog(catalog("step-1", "sha256:first"));

        assertThat(readAgain).isTrue();
        waits.content("sha256:first", tools("one"));
        assertThat(step.views).hasSize(1);
    }

    @Test
    void aRemovedWaitHearsNothing() {
        Fake withoutCatalog = waiting("step-1");
        Fake withoutContent = waiting("step-2");
        waits.catalog(catalog("step-2", "sha256:a"));

        waits.remove(withoutCatalog);
        waits.remove(withoutContent);
        waits.catalog(catalog("step-1", "sha256:a"));
        waits.content("sha256:a", tools("one"));

        assertThat(withoutCatalog.views).isEmpty();
        assertThat(withoutContent.views).isEmpty();
        assertThat(waits.all()).isEmpty();
    }

    private Fake waiting(String step) {
        Fake fake = new Fake(new StepStarted("i", "coder", "t-1", step, null, null, null, null), new ArrayList<>());
        waits.register(fake);
        return fake;
    }

    private static StepCatalog catalog(String step, String digest, RecentStep... recent) {
        return new StepCatalog("i", "coder", "t-1", step, null, digest, null, "b", 1, null, Instant.EPOCH, false,
                List.of(recent));
    }

    private static List<ToolCatalogItem> tools(String... names) {
        List<ToolCatalogItem> tools = new ArrayList<>();
        for (String name : names)
            tools.add(new ToolCatalogItem(name, null, Json.MAPPER.createObjectNode(),
                    new ToolSource(ToolSource.CONFIG, "b"), new ToolRef("b", "t", name), null));
        return tools;
    }

    private record Fake(StepStarted step, List<StepCatalogView> views) implements StepWaits.Waiting {
        @Override
        public void complete(StepCatalogView view) {
            views.add(view);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
