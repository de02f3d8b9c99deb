package dev.toolfleet.resources;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Resources as JSON (`docs/http.md`): those that bundles declare, whole revisions only, then those that extensions and
/// MCP servers publish. Pure.
///
/// @param group selects the Tools with an export in that group, and the ToolGroup of that name; null for all
/// @param source one of [#SOURCES]; null for all
public record ResourceListJson(@Nullable String group, @Nullable String source) {
    /// The kinds of sources.
    public static final List<String> SOURCES = List.of(ToolSource.CONFIG, ToolSource.EXTENSION, ToolSource.MCP);
    private static final String TOOL_GROUP = "ToolGroup";

    /// Returns the selected resources.
    public ObjectNode of(FleetResources resources) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        ArrayNode list = answer.putArray("resources");
        for (BundleResources bundle : resources.bundles().values()) {
            bundle.records().forEach((name, record) -> {
                ObjectNode json = Json.MAPPER.createObjectNode().put("key", bundle.name() + "/" + name)
                        .put("bundle", bundle.name()).put("revision", bundle.revision());
                add(list, json, record, groups(bundle, record));
            });
        }
        for (Registration registration : resources.registrations().values()) {
            registration.records().forEach((name, record) -> add(list, json(registration, name), record,
                    groups(registration.tools().get(name))));
        }
        return answer;
    }

    private void add(ArrayNode list, ObjectNode json, ResourceRecord record, Set<String> groups) {
        if ((group != null && !groups.contains(group))
                || (source != null && !source.equals(record.source().type())))
            return;
        json.set("source", Json.MAPPER.valueToTree(record.source()));
        json.set("groups", Json.MAPPER.valueToTree(groups));
        json.set("resource", record.resource());
        list.add(json);
    }

    private static ObjectNode json(Registration registration, String tool) {
        RegistrationOwner owner = registration.owner();
        ObjectNode json = Json.MAPPER.createObjectNode()
                .put("key", ResourceRecord.key(owner.namespace(), Kinds.TOOL, tool))
                .put("revision", registration.revision());
        ObjectNode names = json.putObject("owner");
        put(names, "bundle", owner.bundle());
        put(names, "agent", owner.agent());
        put(names, "extension", owner.extension());
        put(names, "server", owner.server());
        return json.put("lease", String.valueOf(registration.lease())).put("worker", registration.worker());
    }

    private static void put(ObjectNode names, String field, String name) {
        if (!name.isEmpty())
            names.put(field, name);
    }

    /// Returns the groups of a Tool's exports, or the group that a ToolGroup declares.
    private static Set<String> groups(BundleResources bundle, ResourceRecord record) {
        Set<String> groups = new TreeSet<>();
        String kind = record.resource().path("kind").asString("");
        String name = record.resource().path("metadata").path("name").asString("");
        if (kind.equals(TOOL_GROUP))
            groups.add(name);
        if (kind.equals(Kinds.TOOL))
            groups.addAll(groups(bundle.tool(name).orElse(null)));
        return groups;
    }

    /// @param tool null when it cannot be read
    private static Set<String> groups(@Nullable ToolSpec tool) {
        Set<String> groups = new TreeSet<>();
        if (tool != null)
            tool.exports().forEach(export -> export.policy().group().ifPresent(groups::add));
        return groups;
    }
}
