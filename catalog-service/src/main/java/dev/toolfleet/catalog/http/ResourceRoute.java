package dev.toolfleet.catalog.http;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is declared, whole revisions only.
final class ResourceRoute implements Route {
    private static final String GROUP = "group";
    private static final String SOURCE = "source";
    private static final String TOOL_GROUP = "ToolGroup";
    private static final Set<String> SOURCES = new TreeSet<>(Set.of("config", "extension", "mcp"));

    private final Declarations service;

    ResourceRoute(Declarations service) {
        this.service = service;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/resources", this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, GROUP, SOURCE);
        String group = ctx.queryParam(GROUP);
        String source = ctx.queryParam(SOURCE);
        if (source != null && !SOURCES.contains(source))
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "The source '" + source + "' is unknown; there are " + String.join(", ", SOURCES) + "."));
        ObjectNode answer = Json.MAPPER.createObjectNode();
        ArrayNode list = answer.putArray("resources");
        for (BundleResources bundle : view(service).bundles().values()) {
            for (Map.Entry<String, ResourceRecord> entry : bundle.records().entrySet()) {
                ResourceRecord record = entry.getValue();
                Set<String> groups = groups(bundle, record);
                if ((group == null || groups.contains(group))
                        && (source == null || record.source().type().equals(source)))
                    list.add(json(entry.getKey(), bundle, record, groups));
            }
        }
        Answers.validated(ctx, answer);
    }

    /// What is declared.
    ///
    /// @throws ProblemException when that is not known yet
    static FleetResources view(Declarations service) {
        return service.resources().orElseThrow(() -> new ProblemException(Problem
                .notReady("The resources have not been read to their end yet. Ask again in a second.", List.of())));
    }

    private static ObjectNode json(String name, BundleResources bundle, ResourceRecord record, Set<String> groups) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("key", bundle.name() + "/" + name).put("bundle", bundle.name()).put("revision", bundle.revision());
        json.set("source", Json.MAPPER.valueToTree(record.source()));
        json.set("groups", Json.MAPPER.valueToTree(groups));
        if (record.lease() != null)
            json.put("lease", String.valueOf(record.lease()));
        json.set("resource", record.resource());
        return json;
    }

    /// The groups of a Tool's exports, or the one that a ToolGroup declares.
    private static Set<String> groups(BundleResources bundle, ResourceRecord record) {
        Set<String> groups = new TreeSet<>();
        String kind = record.resource().path("kind").asString("");
        String name = record.resource().path("metadata").path("name").asString("");
        if (kind.equals(TOOL_GROUP))
            groups.add(name);
        if (kind.equals(Kinds.TOOL)) {
            @Nullable
            ToolSpec tool = bundle.tool(name).orElse(null);
            if (tool != null)
                tool.exports().forEach(export -> export.policy().group().ifPresent(groups::add));
        }
        return groups;
    }
}
