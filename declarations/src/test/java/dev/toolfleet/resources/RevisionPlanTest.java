package dev.toolfleet.resources;

import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.wire.ResourceRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.resource;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;

class RevisionPlanTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void writesResourcesThenTombstonesThenTheActiveRecord() {
        apply(table, plan(table, "acme", tool("a", "x"), tool("old", "y")));

        RevisionPlan next = plan(table, "acme", tool("a", "x"), tool("new", "z"));

        assertThat(next.revision()).isEqualTo(2);
        assertThat(next.entries()).extracting(RevisionPlan.Entry::key).containsExactly("acme/Tool/a", "acme/Tool/new",
                "acme/Tool/old", "acme/Revision/active");
        assertThat(next.pruned()).containsExactly("acme/Tool/old");
        assertThat(next.entries().stream().map(RevisionPlan.Entry::value).filter(value -> value != null))
                .extracting(ResourceRecord::revision).containsOnly(2L);
    }

    @Test
    void anUnchangedBundleWritesNothing() {
        apply(table, plan(table, "acme", tool("a", "x"), agent("coder", "Tool/a")));

        RevisionPlan again = plan(table, "acme", agent("coder", "Tool/a"), tool("a", "x"));

        assertThat(again.changes()).isFalse();
        assertThat(again.revision()).isEqualTo(1);
    }

    @Test
    void aChangedFileIsAChange() {
        ObjectNode tool = tool("a", "x");
        apply(table, RevisionPlan.of("acme",
                List.of(new RevisionPlan.Declared(tool, Map.of("lib/a.jar", "sha256:1"))), table));

        RevisionPlan next = RevisionPlan.of("acme",
                List.of(new RevisionPlan.Declared(tool, Map.of("lib/a.jar", "sha256:2"))), table);

        assertThat(next.changes()).isTrue();
        apply(table, next);
        assertThat(table.view().bundle("acme").orElseThrow().find(Kinds.TOOL, "a").orElseThrow().files())
                .containsEntry("lib/a.jar", "sha256:2");
    }

    @Test
    void onlyKindsThatTheFleetActsOnTravel() {
        RevisionPlan plan = plan(table, "acme", resource("Package", "acme"), resource("Model", "m"),
                resource("Connector", "c"), resource("Swarm", "s"), resource("ToolPolicy", "p"));

        assertThat(plan.entries()).extracting(RevisionPlan.Entry::key).containsExactly("acme/Package/acme",
                "acme/Swarm/s", "acme/ToolPolicy/p", "acme/Revision/active");
    }

    @Test
    void ofTwoWithOneNameTheFirstCounts() {
        apply(table, plan(table, "acme", tool("a", "first"), tool("a", "second")));

        assertThat(table.view().bundle("acme").orElseThrow().tool("a").orElseThrow().exports().getFirst().name())
                .isEqualTo("first");
    }

    @Test
    void anotherBundlesResourcesAreNotPruned() {
        apply(table, plan(table, "acme", tool("a", "x")));

        assertThat(plan(table, "acme2", tool("b", "x")).pruned()).isEmpty();
    }

    @Test
    void whatAnInterruptedWriterLeftIsWrittenAgain() {
        RevisionPlan first = plan(table, "acme", tool("a", "x"), tool("left", "y"));
        first.entries().subList(0, 2).forEach(entry -> table.apply(entry.key(), entry.value()));

        RevisionPlan second = plan(table, "acme", tool("a", "x"));
        assertThat(second.changes()).isTrue();
        assertThat(second.pruned()).containsExactly("acme/Tool/left");
        apply(table, second);
        assertThat(table.view().bundle("acme").orElseThrow().tools()).containsOnlyKeys("a");
    }
}
