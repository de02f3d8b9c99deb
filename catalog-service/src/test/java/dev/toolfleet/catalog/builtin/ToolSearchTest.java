package dev.toolfleet.catalog.builtin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.catalog.Steps;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepMemory;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.group;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ToolSearchTest {
    private static final String SEARCH = "tool-search__search";

    private final ObjectNode config = Json.MAPPER.createObjectNode();
    private @Nullable JsonNode memory;

    @Test
    void beforeAnySearchTheListIsAsItIs() {
        assertThat(names()).containsExactly(SEARCH, "t__a", "t__b", "t__c");
    }

    @Test
    void afterASearchTheListIsTheSearchToolAndWhatItSelectedInCatalogOrder() {
        searched("t1", "s1", "d__x", "t__c", "t__a");

        assertThat(names()).containsExactly(SEARCH, "t__a", "t__c", "d__x");
    }

    @Test
    void aLaterSearchReplacesAnEarlierOneSoTheSelectionCanWiden() {
        searched("t1", "s1", "t__a");
        searched("t1", "s2", "t__b", "t__c", "d__x");

        assertThat(names()).containsExactly(SEARCH, "t__b", "t__c", "d__x");
    }

    @Test
    void searchesOfOneStepAddUp() {
        searched("t1", "s1", "t__a");
        searched("t1", "s1", "t__b");
        assertThat(names()).containsExactly(SEARCH, "t__a", "t__b");

        searched("t1", "s2", "t__c");
        assertThat(names()).containsExactly(SEARCH, "t__c");
    }

    @Test
    void aSearchThatFindsNothingLeavesTheSelectionAsItIs() {
        searched("t1", "s1");
        assertThat(names()).containsExactly(SEARCH, "t__a", "t__b", "t__c");
        searched("t1", "s2", "t__a");
        searched("t1", "s3");
        assertThat(names()).containsExactly(SEARCH, "t__a");
    }

    @Test
    void aSelectionOfToolsThatAreGoneOpensNothing() {
        searched("t1", "s1", "gone__x");

        assertThat(names()).containsExactly(SEARCH);
    }

    @Test
    void theAgentMayTakeFewerResultsOrLongerQueriesOnly() {
        config.put("maxResults", 1);
        searched("t1", "s1", "t__a", "t__b");
        assertThat(names()).containsExactly(SEARCH, "t__a");
        config.put("minQueryLength", 7);
        searched("t1", "s2", "t__c");
        assertThat(names()).containsExactly(SEARCH, "t__a");
    }

    @Test
    void aSelectionThatDoesNotPersistEndsWithItsTurn() {
        config.put("persistSelection", false);
        searched("t1", "s1", "t__a");
        assertThat(names()).containsExactly(SEARCH, "t__a", "t__b", "t__c");
        searched("t2", "s1", "t__b");
        assertThat(names()).containsExactly(SEARCH, "t__b");
    }

    @Test
    void whatAnOuterLayerHidStaysHidden() {
        searched("t1", "s1", "t__a", "t__b");

        assertThat(steps(agent -> using(agent, "tool-filter",
                filter -> filter.put("priority", -1).putObject("exclude").putArray("tools").add("t__a"))).names())
                .containsExactly(SEARCH, "t__b");
    }

    @Test
    void anotherToolMayBeTheSearchToolIfItsNameIsOne() {
        config.put("toolName", "t__c");
        searched("t1", "s1", "t__a");
        assertThat(names()).containsExactly("t__a", "t__c");

        config.put("toolName", "search");
        Steps broken = steps(agent -> {});
        assertThat(broken.names()).isEmpty();
        assertThat(broken.extensions().problems().get("acme/tool-search")).contains("toolName").contains("search");
    }

    private List<String> names() {
        return steps(agent -> {}).names();
    }

    private Steps steps(Consumer<ObjectNode> more) {
        ObjectNode agent = using(agent("coder", "Tool/tool-search", "Tool/t", "Tool/d"), "tool-search",
                own -> own.setAll(config));
        more.accept(agent);
        Steps steps = new Steps();
        JsonNode remembered = memory;
        if (remembered != null)
            steps.remember("tool-search", config.path("toolName").asString(SEARCH), remembered);
        return steps.apply(tool("tool-search", "search"), tool("t", "a", "b", "c"), inGroup("asked", tool("d", "x")),
                group("asked", "on-demand"), agent, extension("tool-search", "builtin:tool-search"),
                extension("tool-filter", "builtin:tool-filter"));
    }

    private void searched(String turn, String step, String... found) {
        ObjectNode output = Json.MAPPER.createObjectNode().put("query", "what I");
        ArrayNode selected = output.putArray("selectedTools");
        for (String name : found)
            selected.add(name);
        String tool = config.path("toolName").asString(SEARCH);
        Registered registered = new Registered();
        new ToolSearch().register(registered, config);
        JsonNode after = requireNonNull(registered.memories.get(tool)).after(memory, new ToolResult("c", tool,
                ResultStatus.OK, output, null, null, "i", "coder", turn, step, 1, false, null, 0, null, null));
        memory = after == null ? memory : after;
    }

    private static final class Registered implements ExtensionRegistrar {
        private final Map<String, StepMemory> memories = new HashMap<>();

        @Override
        public void toolCall(int priority, ToolCallMiddleware middleware) {
            throw new AssertionError();
        }

        @Override
        public void remember(String toolName, StepMemory code) {
            memories.put(toolName, code);
        }
    }
}
