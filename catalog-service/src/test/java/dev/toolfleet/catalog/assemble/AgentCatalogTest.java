package dev.toolfleet.catalog.assemble;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.tool;
import static org.assertj.core.api.Assertions.assertThat;

class AgentCatalogTest {
    private final Bundles bundles = new Bundles();

    @Test
    void theContentIsTheCanonicalJsonOfTheAgentsToolsAndItsDigestNamesIt() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));

        AgentCatalog catalog = AgentCatalog.of(bundles.view(), "coder");

        assertThat(catalog.content())
                .isEqualTo(CanonicalJson.of(Json.MAPPER.valueToTree(AgentTools.items(bundles.view(), "coder"))))
                .contains("a__z");
        assertThat(catalog.digest()).isEqualTo(Digests.sha256(catalog.contentBytes()));
        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.revision()).isEqualTo(1);
    }

    @Test
    void anUnknownAgentGetsAnEmptyCatalog() {
        AgentCatalog catalog = AgentCatalog.of(bundles.view(), "nobody");

        assertThat(catalog.content()).isEqualTo("[]");
        assertThat(catalog.revision()).isZero();
        assertThat(catalog.problems()).hasSize(1);
    }

    @Test
    void aCatalogTooLargeForItsTopicIsEmptyAndSaysSo() {
        ObjectNode tool = tool("a", "z");
        ((ObjectNode) tool.at("/spec/exports/0")).put("description", "x".repeat(AgentCatalog.MAX_CONTENT_BYTES));
        bundles.apply("acme", tool, agent("coder", "Tool/a"));

        AgentCatalog catalog = AgentCatalog.of(bundles.view(), "coder");
        assertThat(catalog.content()).isEqualTo("[]");
        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.problems()).singleElement().asString().contains("bytes");
    }
}
