package dev.toolfleet.resources;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;

class AgentToolsTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void exportsStandInTheOrderOfTheAgentsTools() {
        apply(table, plan(table, "acme", tool("b", "y", "x"), tool("a", "z"), agent("coder", "Tool/b", "Tool/a")));

        assertThat(names("coder")).containsExactly("b__y", "b__x", "a__z");
    }

    @Test
    void aToolListedTwiceKeepsItsFirstPlaceAndItsLastContent() {
        apply(table, plan(table, "@toolfleet/base", tool("bash", "exec")));
        apply(table, plan(table, "acme", tool("bash", "mine"), tool("a", "z"), agent("coder", "Tool/bash", "Tool/a",
                "{\"kind\":\"Tool\",\"name\":\"bash\",\"package\":\"@goondan/base\"}")));

        assertThat(names("coder")).containsExactly("bash__exec", "a__z");
    }

    @Test
    void anItemIsWhatTheBundleDeclares() {
        ObjectNode tool = tool("builds", "start");
        ObjectNode export = (ObjectNode) tool.at("/spec/exports/0");
        export.put("group", "ci").set("parameters",
                Json.MAPPER.readTree("{\"type\":\"object\",\"x-odd\":[1.50,null],\"properties\":{}}"));
        apply(table, plan(table, "acme", tool, agent("coder", "Tool/builds")));

        assertThat(AgentTools.of(table.view(), "coder").items()).containsExactly(new ToolCatalogItem(
                "builds__start", "does start", (ObjectNode) export.path("parameters"),
                new ToolSource("config", "builds"), new ToolRef("acme", "builds", "start"), "ci"));
    }

    @Test
    void anExportWithoutParametersTakesAnyObject() {
        apply(table, plan(table, "acme", tool("a", "z"), agent("coder", "Tool/a")));

        assertThat(AgentTools.of(table.view(), "coder").items().getFirst().parameters())
                .isEqualTo(Json.MAPPER.readTree("{\"type\":\"object\",\"properties\":{}}"));
    }

    @Test
    void toolsThatCannotRunAreLeftOutSilently() {
        ObjectNode js = tool("js", "x");
        ((ObjectNode) js.path("spec")).put("entry", "../tools/js/index.mjs");
        apply(table, plan(table, "acme", js, tool("a", "z"),
                agent("coder", "Tool/js", "Tool/a")));

        AgentTools tools = AgentTools.of(table.view(), "coder");
        assertThat(tools.items()).extracting(ToolCatalogItem::name).containsExactly("a__z");
        assertThat(tools.problems()).isEmpty();
    }

    @Test
    void whatCannotBeShownIsLeftOutWithAProblem() {
        apply(table, plan(table, "acme", tool("a", "z"), tool("odd_", "x"),
                agent("coder", "Tool/gone", "Tool/odd_", "Agent/coder", "Tool/a")));

        AgentTools tools = AgentTools.of(table.view(), "coder");
        assertThat(tools.items()).extracting(ToolCatalogItem::name).containsExactly("a__z");
        assertThat(tools.problems()).hasSize(3);
        assertThat(tools.problems().getFirst()).contains("Tool/gone", "acme");
    }

    @Test
    void toolsOfV08ShowTheirExportsNamesWithDots() {
        apply(table, plan(table, "acme", tool("builds", "start"), v08("slackToolkit", "slack.post", "slack.list"),
                agent("coder", "Tool/builds", "Tool/slackToolkit")));

        assertThat(names("coder")).containsExactly("builds__start", "slack.post", "slack.list");
        assertThat(table.view().bundle("acme").orElseThrow().called("slack.list"))
                .contains(new ToolRef("acme", "slackToolkit", "slack.list"));
    }

    @Test
    void ofTwoToolsWithOneNameTheFirstIsShown() {
        apply(table, plan(table, "acme", v08("one", "slack.post"), v08("two", "slack.post", "slack.list"),
                agent("coder", "Tool/one", "Tool/two")));

        AgentTools tools = AgentTools.of(table.view(), "coder");
        assertThat(tools.items()).extracting(item -> item.name() + " of " + item.tool().tool())
                .containsExactly("slack.post of one", "slack.list of two");
        assertThat(tools.problems()).singleElement().asString().contains("slack.post", "Tool two", "rename");
    }

    @Test
    void anUnknownAgentHasNone() {
        AgentTools tools = AgentTools.of(table.view(), "nobody");

        assertThat(tools.items()).isEmpty();
        assertThat(tools.revision()).isZero();
        assertThat(tools.problems()).hasSize(1);
    }

    @Test
    void ofSeveralBundlesTheFirstNameDeclaresTheAgent() {
        apply(table, plan(table, "zeta", tool("z", "x"), agent("coder", "Tool/z")));
        apply(table, plan(table, "beta", tool("b", "x"), agent("coder", "Tool/b")));

        AgentTools tools = AgentTools.of(table.view(), "coder");
        assertThat(tools.bundle()).isEqualTo("beta");
        assertThat(names("coder")).containsExactly("b__x");
        assertThat(tools.problems()).singleElement().asString().contains("zeta");
    }

    private static ObjectNode v08(String name, String... exports) {
        return tool(name, exports).put("apiVersion", "agents.example.io/v1alpha1");
    }

    private List<String> names(String agent) {
        return AgentTools.items(table.view(), agent).stream().map(ToolCatalogItem::name).toList();
    }
}
