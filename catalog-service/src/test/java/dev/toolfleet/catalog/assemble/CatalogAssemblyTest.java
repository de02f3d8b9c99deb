package dev.toolfleet.catalog.assemble;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.Steps;
import dev.toolfleet.catalog.assemble.StepPolicy.Permitted;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.group;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogAssemblyTest {
    @Test
    void theContentIsTheCanonicalJsonOfTheAgentsToolsAndItsDigestNamesIt() {
        ObjectNode[] bundle = {tool("a", "z", "y"), tool("b", "x"), agent("coder", "Tool/b", "Tool/a")};

        AgentCatalog catalog = new Steps().apply(bundle).step();

        assertThat(catalog.content().json())
                .isEqualTo(CanonicalJson.of(Json.MAPPER.valueToTree(
                        AgentTools.items(new Bundles().apply("acme", bundle).view(), "coder"))))
                .contains("a__z");
        assertThat(catalog.digest()).isEqualTo(Digests.sha256(catalog.content().bytes()));
        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.revision()).isEqualTo(1);
        assertThat(catalog.policyDigest()).isNull();
    }

    @Test
    void aCatalogNamesTheRevisionsOfTheOtherBundlesOfItsAgent() {
        ObjectNode coder = agent("coder", "Tool/a", "Tool/bash");
        coder.withObject("spec").withArray("tools").addObject().put("kind", "Tool").put("name", "git")
                .put("package", "@acme/tools");
        Steps steps = new Steps().applyTo(FleetResources.BUILT_IN, tool("bash", "exec"))
                .applyTo("@acme/tools", tool("git", "push")).applyTo("@acme/tools", tool("git", "pull"))
                .applyTo("unused", tool("x", "y")).apply(tool("a", "z"), coder);

        assertThat(steps.step().revisions()).isEqualTo(Map.of(FleetResources.BUILT_IN, 1L, "@acme/tools", 2L));
        assertThat(steps.apply(tool("a", "z"), agent("coder", "Tool/a")).step().revisions()).isEmpty();
    }

    @Test
    void aBundleThatDroppedTheAgentsToolIsNamedStill() {
        Steps steps = new Steps().applyTo(FleetResources.BUILT_IN, tool("bash", "exec"))
                .apply(tool("a", "z"), agent("coder", "Tool/a", "Tool/bash"))
                .applyTo(FleetResources.BUILT_IN, tool("other", "exec"));

        assertThat(steps.names()).containsExactly("a__z");
        assertThat(steps.step().revisions()).isEqualTo(Map.of(FleetResources.BUILT_IN, 2L));
    }

    @Test
    void anAgentThatNobodyDeclaresHasAnEmptyCatalog() {
        AgentCatalog catalog = new Steps().apply(agent("other")).step();

        assertThat(catalog.content().json()).isEqualTo("[]");
        assertThat(catalog.bundle()).isEmpty();
        assertThat(catalog.revision()).isZero();
    }

    @Test
    void aCatalogTooLargeForItsTopicIsEmptyAndReported() {
        ObjectNode tool = tool("a", "z");
        Bundles.export(tool, "z").put("description", "x".repeat(CatalogContent.MAX_SIZE));
        Steps steps = new Steps().apply(tool, agent("coder", "Tool/a"));

        assertThat(steps.step().content().json()).isEqualTo("[]");
        assertThat(steps.step().bundle()).isEqualTo("acme");
        assertThat(steps.faults()).containsEntry("catalog", 2L);
    }

    @Test
    void aStepOfAListThatWasSeenIsNotWrittenOutAgain() {
        Steps steps = new Steps().apply(tool("a", "z"), agent("coder", "Tool/a"));

        assertThat(steps.step().content()).isSameAs(steps.step().content());
    }

    @Test
    void groupsDecideWhatAModelIsToldOfUnasked() {
        Steps steps = new Steps().apply(inGroup("open", tool("a", "z")), inGroup("asked", tool("b", "y")),
                inGroup("closed", tool("c", "x")), inGroup("unheard-of", tool("d", "w")), tool("e", "v"),
                group("open", "always"), group("asked", "on-demand"), group("closed", "never"),
                agent("coder", "Tool/a", "Tool/b", "Tool/c", "Tool/d", "Tool/e"));

        assertThat(steps.names()).containsExactly("a__z", "d__w", "e__v");
    }

    @Test
    void aLayerMayShowAnOnDemandToolButNoneOfANeverGroup() {
        List<String> known = new ArrayList<>();
        Steps steps = new Steps().layer("select", 0, (ctx, next) -> {
            ctx.known().forEach(tool -> known.add(tool.name()));
            ctx.known().forEach(ctx::add);
            next.proceed();
        }).apply(inGroup("asked", tool("b", "y")), inGroup("closed", tool("c", "x")), group("asked", "on-demand"),
                group("closed", "never"), extension("select", "java:select"),
                using(agent("coder", "Tool/b", "Tool/c"), "select", config -> {}));

        assertThat(steps.names()).containsExactly("b__y");
        assertThat(known).containsExactly("b__y");
    }

    @Test
    void policyHasTheLastWordAlsoOverRequiredToolsAndItsDigestIsKept() {
        ObjectNode agent = agent("coder", "Tool/a");
        agent.withObject("spec").putArray("requiredTools").add("a__z");
        StepPolicy noZ = (resources, step, labels, items, now) -> new Permitted(
                items.stream().filter(item -> !item.name().equals("a__z")).toList(), "sha256:policy");
        Steps steps = new Steps(noZ).apply(tool("a", "z", "y"), agent);

        assertThat(steps.names()).containsExactly("a__y");
        assertThat(steps.step().policyDigest()).isEqualTo("sha256:policy");
    }

    @Test
    void aPolicyThatThrowsShowsNothing() {
        StepPolicy broken = (resources, step, labels, items, now) -> {
            throw new IllegalStateException("no rules");
        };
        Steps steps = new Steps(broken).apply(tool("a", "z"), agent("coder", "Tool/a"));

        assertThat(steps.names()).isEmpty();
        assertThat(steps.faults()).containsEntry("policy", 1L);
    }

    @Test
    void describedAnewAToolIsWrittenAnewAndOthersAreNot() {
        Steps steps = new Steps().layer("describe", 0, (ctx, next) -> {
            ctx.tools(ctx.tools().stream().map(tool -> tool.describedAs("in step " + ctx.stepId())).toList());
            next.proceed();
        }).apply(tool("a", "z"), extension("describe", "java:describe"),
                using(agent("coder", "Tool/a"), "describe", config -> {}));

        assertThat(steps.items()).extracting(ToolCatalogItem::description).containsExactly("in step s2");
        assertThat(steps.step().digest()).isEqualTo(steps.step().digest());
    }

    @Test
    void aSchemaWithoutEndIsShownToNobodyAndReported() {
        Steps steps = new Steps().layer("endless", 0, (ctx, next) -> {
            ObjectNode endless = Json.MAPPER.createObjectNode();
            endless.set("properties", endless);
            ctx.tools(ctx.tools().stream().map(tool -> tool.withParameters(endless)).toList());
            next.proceed();
        }).apply(tool("a", "z"), extension("endless", "java:endless"),
                using(agent("coder", "Tool/a"), "endless", config -> {}));

        assertThat(steps.step().content().json()).isEqualTo("[]");
        assertThat(steps.faults()).containsKey("catalog");
    }
}
