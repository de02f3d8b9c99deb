package dev.toolfleet.catalog.assemble;

import java.util.List;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.toolWithEntry;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogAssemblyTest {
    private final Bundles bundles = new Bundles();

    @Test
    void exportsStandInTheOrderOfTheAgentsTools() {
        bundles.apply("acme", tool("b", "y", "x"), tool("a", "z"), agent("coder", "Tool/b", "Tool/a"));

        assertThat(names("coder")).containsExactly("b__y", "b__x", "a__z");
    }

    @Test
    void aToolListedTwiceKeepsItsFirstPlaceAndItsLastContent() {
        bundles.apply("@toolfleet/base", tool("bash", "exec"));
        bundles.apply("acme", tool("bash", "mine"), tool("a", "z"), agent("coder", "Tool/bash", "Tool/a",
                "{\"kind\":\"Tool\",\"name\":\"bash\",\"package\":\"@goondan/base\"}"));

        assertThat(names("coder")).containsExactly("bash__exec", "a__z");
    }

    @Test
    void anItemIsWhatTheBundleDeclares() {
        ObjectNode tool = tool("builds", "start");
        ObjectNode export = (ObjectNode) tool.at("/spec/exports/0");
        export.put("group", "ci").set("parameters",
                Json.MAPPER.readTree("{\"type\":\"object\",\"x-odd\":[1.50,null],\"properties\":{}}"));
        bundles.apply("acme", tool, agent("coder", "Tool/builds"));

        assertThat(CatalogAssembly.of(bundles.view(), "coder").items()).containsExactly(new ToolCatalogItem(
                "builds__start", "does start", (ObjectNode) export.path("parameters"),
                new ToolSource("config", "builds"), new ToolRef("acme", "builds", "start"), "ci"));
    }

    @Test
    void anExportWithoutParametersTakesAnyObject() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));

        assertThat(CatalogAssembly.of(bundles.view(), "coder").items().getFirst().parameters())
                .isEqualTo(Json.MAPPER.readTree("{\"type\":\"object\",\"properties\":{}}"));
    }

    @Test
    void theContentsDigestIsThatOfItsCanonicalJson() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));

        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "coder");

        assertThat(catalog.content()).isEqualTo(CanonicalJson.of(Json.MAPPER.valueToTree(catalog.items())));
        assertThat(catalog.digest()).isEqualTo(Digests.sha256(catalog.contentBytes()));
        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.revision()).isEqualTo(1);
    }

    @Test
    void toolsWithoutAHostAreLeftOutSilently() {
        bundles.apply("acme", toolWithEntry("js", "./tools/js/index.mjs", "x"), tool("a", "z"),
                agent("coder", "Tool/js", "Tool/a"));

        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "coder");
        assertThat(catalog.items()).extracting(ToolCatalogItem::name).containsExactly("a__z");
        assertThat(catalog.problems()).isEmpty();
    }

    @Test
    void whatCannotBeShownIsLeftOutWithAProblem() {
        bundles.apply("acme", tool("a", "z"), tool("odd_", "x"),
                agent("coder", "Tool/gone", "Tool/odd_", "Agent/coder", "Tool/a"));

        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "coder");
        assertThat(catalog.items()).extracting(ToolCatalogItem::name).containsExactly("a__z");
        assertThat(catalog.problems()).hasSize(3);
        assertThat(catalog.problems().getFirst()).contains("Tool/gone", "acme");
    }

    @Test
    void anUnknownAgentGetsAnEmptyCatalog() {
        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "nobody");

        assertThat(catalog.items()).isEmpty();
        assertThat(catalog.content()).isEqualTo("[]");
        assertThat(catalog.revision()).isZero();
        assertThat(catalog.problems()).hasSize(1);
    }

    @Test
    void ofSeveralBundlesTheFirstNameDeclaresTheAgent() {
        bundles.apply("zeta", tool("z", "x"), agent("coder", "Tool/z"));
        bundles.apply("beta", tool("b", "x"), agent("coder", "Tool/b"));

        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "coder");
        assertThat(catalog.bundle()).isEqualTo("beta");
        assertThat(names("coder")).containsExactly("b__x");
        assertThat(catalog.problems()).singleElement().asString().contains("zeta");
    }

    @Test
    void aCatalogTooLargeForItsTopicIsEmptyAndSaysSo() {
        ObjectNode tool = tool("a", "z");
        ((ObjectNode) tool.at("/spec/exports/0")).put("description", "x".repeat(AgentCatalog.MAX_CONTENT_BYTES));
        bundles.apply("acme", tool, agent("coder", "Tool/a"));

        AgentCatalog catalog = CatalogAssembly.of(bundles.view(), "coder");
        assertThat(catalog.items()).isEmpty();
        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.problems()).singleElement().asString().contains("bytes");
    }

    private List<String> names(String agent) {
        return CatalogAssembly.of(bundles.view(), agent).items().stream().map(ToolCatalogItem::name).toList();
    }
}
