package dev.toolfleet.worker.tools.toolsearch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolSearchModuleTest {
    private final ToolSearchModule module = new ToolSearchModule((agent, caller) -> List.of(
            item("mail__send", "Sends a letter to someone"), item("chat__send", "Says something in a channel"),
            item("files__read", "Reads a file"), item("files__write", "Writes a FILE")));

    @Test
    void theWholeTextIsFoundInNameAndDescriptionWhateverTheCase() throws Exception {
        assertThat(selected(search("a File"))).containsExactly("files__read", "files__write");
        assertThat(selected(search("SEND"))).containsExactly("mail__send", "chat__send");
    }

    @Test
    void ofSeveralWordsTheToolWithMostComesFirstAndNamesCountMore() throws Exception {
        assertThat(selected(search("send something: channel"))).containsExactly("chat__send", "mail__send");
        assertThat(selected(search("write letter"))).containsExactly("files__write", "mail__send");
    }

    @Test
    void aSecondSearchIsAmongAllToolsAgain() throws Exception {
        assertThat(selected(search("mail"))).containsExactly("mail__send");
        assertThat(selected(search("files"))).containsExactly("files__read", "files__write");
    }

    @Test
    void resultsSayNameAndDescriptionAndTheLimitIsKept() throws Exception {
        JsonNode output = search("send", 1);
        assertThat(output.path("query").asString()).isEqualTo("send");
        assertThat(output.at("/results/0/name").asString()).isEqualTo("mail__send");
        assertThat(output.at("/results/0/description").asString()).isEqualTo("Sends a letter to someone");
        assertThat(selected(output)).containsExactly("mail__send");

        assertThat(selected(search("send", -5))).hasSize(1);
        module.configure(Json.MAPPER.createObjectNode().put("maxResults", 1));
        assertThat(selected(search("send", 50))).hasSize(1);
    }

    @Test
    void withoutAMatchNothingIsSelectedAndTheModelIsToldSo() throws Exception {
        JsonNode output = search("zebra");
        assertThat(selected(output)).isEmpty();
        assertThat(output.path("message").asString()).contains("stay as they are");
        assertThat(selected(search("  "))).isEmpty();
        module.configure(Json.MAPPER.createObjectNode().put("minQueryLength", 5));
        assertThat(selected(search("mail"))).isEmpty();
    }

    @Test
    void theSearchIsAmongWhatItsCallerMaySee() throws Exception {
        List<PolicyCaller> callers = new ArrayList<>();
        ToolSearchModule asking = new ToolSearchModule((agent, caller) -> {
            callers.add(caller);
            return List.of();
        });
        try (FakeToolContext ctx = FakeToolContext.in(Path.of(".")).caller("ann", "ops")) {
            requireNonNull(asking.handlers().get("search")).handle(ctx,
                    Json.MAPPER.createObjectNode().put("query", "any"));
            assertThat(callers).containsExactly(new PolicyCaller("ann", "ops", ctx.agentName()));
        }
    }

    @Test
    void anUnknownSettingIsRefusedByName() {
        assertThatThrownBy(() -> module.configure(Json.MAPPER.createObjectNode().put("maxResult", 1)))
                .hasMessageContaining("Tool/tool-search spec.config.maxResult");
    }

    private JsonNode search(String query) throws Exception {
        return search(Json.MAPPER.createObjectNode().put("query", query));
    }

    private JsonNode search(String query, int limit) throws Exception {
        return search(Json.MAPPER.createObjectNode().put("query", query).put("limit", limit));
    }

    private JsonNode search(ObjectNode input) throws Exception {
        try (FakeToolContext ctx = FakeToolContext.in(Path.of("."))) {
            ToolOutput output = requireNonNull(requireNonNull(module.handlers().get("search")).handle(ctx, input));
            return Json.MAPPER.valueToTree(((ToolOutput.Value) output).value());
        }
    }

    private static List<String> selected(JsonNode output) {
        return Stream.of(output.path("selectedTools")).flatMap(list -> list.values().stream())
                .map(JsonNode::stringValue).toList();
    }

    private static ToolCatalogItem item(String name, String description) {
        return new ToolCatalogItem(name, description, Json.MAPPER.createObjectNode(),
                new ToolSource(ToolSource.CONFIG, name), new ToolRef("b", name, "e"), null);
    }
}
