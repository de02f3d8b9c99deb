package dev.toolfleet.resources;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.resource;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;

class ResourceTableTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void nothingShowsBeforeTheRevisionIsActive() {
        List<RevisionPlan.Entry> entries = plan(table, "acme", tool("a", "x"), agent("coder", "Tool/a")).entries();

        for (RevisionPlan.Entry entry : entries.subList(0, 2))
            assertThat(table.apply(entry.key(), entry.value())).isEmpty();
        assertThat(table.view().bundles()).isEmpty();

        RevisionPlan.Entry active = entries.getLast();
        assertThat(active.key()).isEqualTo("acme/Revision/active");
        assertThat(table.apply(active.key(), active.value())).contains("acme");
        assertThat(table.view().bundle("acme").orElseThrow().records()).containsOnlyKeys("Agent/coder", "Tool/a");
    }

    @Test
    void theOldRevisionStaysWholeWhileTheNewOneArrives() {
        apply(table, plan(table, "acme", tool("a", "x"), tool("b", "y")));
        FleetResources before = table.view();

        RevisionPlan second = plan(table, "acme", tool("a", "x2"), tool("c", "z"));
        for (RevisionPlan.Entry entry : second.entries().subList(0, second.entries().size() - 1)) {
            assertThat(table.apply(entry.key(), entry.value())).isEmpty();
            assertThat(table.view()).isSameAs(before);
        }
        table.apply(second.entries().getLast().key(), second.entries().getLast().value());

        BundleResources after = table.view().bundle("acme").orElseThrow();
        assertThat(after.revision()).isEqualTo(2);
        assertThat(after.tools()).containsOnlyKeys("a", "c");
        assertThat(after.tool("a").orElseThrow().exports().getFirst().name()).isEqualTo("x2");
    }

    @Test
    void aRevisionThatCompactionHasTakenApartIsNeverShown() {
        List<RevisionPlan.Entry> first = plan(table, "acme", tool("a", "x"), tool("b", "y")).entries();

        RevisionPlan.Entry b = first.get(1);
        table.apply(b.key(), b.value());
        table.apply(first.getLast().key(), first.getLast().value());
        assertThat(table.view().bundles()).isEmpty();

        RevisionPlan.Entry a = first.getFirst();
        assertThat(table.apply(a.key(), a.value())).contains("acme");
    }

    @Test
    void bundlesSwitchIndependently() {
        apply(table, plan(table, "acme", tool("a", "x")));
        apply(table, plan(table, "@toolfleet/base", tool("bash", "exec")));
        apply(table, plan(table, "acme", tool("a", "y")));

        assertThat(table.view().bundle("acme").orElseThrow().revision()).isEqualTo(2);
        assertThat(table.view().bundle("@toolfleet/base").orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aTombstoneOfTheActiveRecordRemovesTheBundle() {
        apply(table, plan(table, "acme", tool("a", "x")));

        assertThat(table.apply("acme/Revision/active", null)).contains("acme");
        assertThat(table.view().bundles()).isEmpty();
    }

    @Test
    void whatIsNoDeclarationChangesNothing() {
        ResourceRecord foreign = new ResourceRecord("@fleet", 1, new ToolSource("config", "fleet"),
                Json.MAPPER.createObjectNode().put("partitions", 12), Map.of(), null);
        ResourceRecord dynamic = new ResourceRecord("acme", 1, new ToolSource("extension", "e"), tool("d", "x"),
                Map.of(), null);

        assertThat(table.apply("@fleet/Topics/group-a", foreign)).isEmpty();
        assertThat(table.apply("acme/Tool/d", dynamic)).isEmpty();
        assertThat(table.apply("never/Tool/seen", null)).isEmpty();
        assertThat(table.view()).isSameAs(FleetResources.EMPTY);
    }

    @Test
    void aBundleWhoseNameIsAPathIsRefusedUntilItIsGone() {
        for (String name : List.of("/some/where/evil", "../evil", "a/b", "@acme/../x", " acme", "")) {
            RevisionPlan plan = plan(table, name, tool("a", "x"));

            apply(table, plan);
            assertThat(table.view().bundles()).as(name).isEmpty();
            assertThat(table.refused()).containsOnlyKeys(name);

            table.apply(plan.entries().getLast().key(), null);
            assertThat(table.refused()).isEmpty();
        }
    }

    @Test
    void underTheOperatorsNameStandDenialsOnly() {
        ResourceRecord tool = new ResourceRecord(OperatorDenial.BUNDLE, 1,
                new ToolSource(ToolSource.OPERATOR, "ann"), tool("a", "x"), Map.of(), null);
        table.apply(ResourceKey.of(tool), tool);
        ResourceRecord mark = RevisionMark.of(OperatorDenial.BUNDLE, ToolSource.OPERATOR, 1, 1);
        table.apply(ResourceKey.of(mark), mark);

        assertThat(table.view().bundles()).isEmpty();
    }

    @Test
    void theSameRecordAgainChangesNothing() {
        RevisionPlan plan = plan(table, "acme", tool("a", "x"));
        apply(table, plan);
        FleetResources before = table.view();

        for (RevisionPlan.Entry entry : plan.entries())
            assertThat(table.apply(entry.key(), entry.value())).isEqualTo(Optional.empty());
        assertThat(table.view()).isSameAs(before);
    }

    @Test
    void aResourceThatCannotBeReadIsReportedAndLeftOut() {
        apply(table, plan(table, "acme", resource("Tool", "broken"), tool("good", "x")));

        BundleResources bundle = table.view().bundle("acme").orElseThrow();
        assertThat(bundle.tools()).containsOnlyKeys("good");
        assertThat(bundle.problems()).singleElement().asString().contains("Tool/broken", "spec.entry");
        assertThat(bundle.find("Tool", "broken")).isPresent();
    }
}
