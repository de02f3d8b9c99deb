package dev.toolfleet.worker.tools.toolsearch;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.Query;
import dev.toolfleet.worker.tools.args.ToolConfig;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `tool-search` with the export `search`: finds tools among all that the agent may see, and returns
/// their names. The extension `tool-search` makes the catalog of the next step of these names. Each search covers all
/// tools, not only those that an earlier search found.
public final class ToolSearchModule implements ToolModule {
    private static final int DEFAULT_MAX_RESULTS = 10;

    private final Searchable searchable;
    private volatile Config config = new Config(DEFAULT_MAX_RESULTS, 1);

    /// Tools that a search covers.
    @FunctionalInterface
    public interface Searchable {
        /// Every tool that steps of the agent may show to the caller, in catalog order.
        ///
        /// @param caller names that agent, and the user and the channel of the call
        List<ToolCatalogItem> tools(String agent, PolicyCaller caller);
    }

    private record Config(int maxResults, int minQueryLength) {}

    /// Searches among these.
    public ToolSearchModule(Searchable searchable) {
        this.searchable = searchable;
    }

    @Override
    public void configure(ObjectNode json) {
        ToolConfig read = new ToolConfig("tool-search", json, Set.of("maxResults", "minQueryLength"));
        config = new Config(read.positive("maxResults", DEFAULT_MAX_RESULTS), read.positive("minQueryLength", 1));
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("search", this::search);
    }

    private ToolOutput search(ToolContext ctx, ObjectNode input) throws ToolException {
        String agent = ctx.agentName();
        if (agent == null)
            throw new ToolException("E_TOOL", "The call names no agent, and a search is among an agent's tools.")
                    .suggestion("Send agentName with the call.");
        Arguments args = new Arguments(input);
        Query query = Query.of(args.text("query"));
        long limit = Math.clamp(args.number("limit", config.maxResults()), 1, config.maxResults());
        List<ToolCatalogItem> found = query.text().length() < config.minQueryLength()
                ? List.of()
                : query.best(searchable.tools(agent, caller(ctx)),
                        tool -> new Query.Described(tool.name(), tool.description()), (int) limit);
        return ToolOutput.of(result(args.text("query"), found));
    }

    private static PolicyCaller caller(ToolContext ctx) {
        return new PolicyCaller(ctx.caller().userId(), ctx.caller().channelId(), ctx.agentName());
    }

    private static ObjectNode result(String query, List<ToolCatalogItem> found) {
        ObjectNode result = Json.MAPPER.createObjectNode().put("query", query);
        ArrayNode results = result.putArray("results");
        ArrayNode selected = result.putArray("selectedTools");
        for (ToolCatalogItem tool : found) {
            ObjectNode entry = results.addObject().put("name", tool.name());
            if (tool.description() != null)
                entry.put("description", tool.description());
            selected.add(tool.name());
        }
        if (found.isEmpty())
            result.put("message", "No tool matches; your tools stay as they are. Search with other words.");
        return result;
    }
}
