package dev.toolfleet.catalog.http;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.ResourceRecord;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Shows the resources that bundles declare, whole revisions only, and those that extensions and MCP servers publish,
/// during their leases.
final class ResourceRoute implements Route {
    private static final String GROUP = "group";
    private static final String SOURCE = "source";
    private static final String TOOL_GROUP = "ToolGroup";
    private static final Set<String> SOURCES = new TreeSet<>(Set.of("config", "extension", "mcp"));

    private final Declarations service;
    private final InstantSource clock;

    /// @param clock decides about leases
    ResourceRoute(Declarations service, InstantSource clock) {
        this.service = service;
        this.clock = clock;
    }

    private record Selection(@Nullable String group, @Nullable String source) {
        boolean takes(Set<String> groups, String from) {
            return (group == null || groups.contains(group)) && (source == null || source.equals(from));
        }
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
        Selection selection = new Selection(group, source);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        ArrayNode list = answer.putArray("resources");
        FleetResources now = view(service, clock);
        for (BundleResources bundle : now.bundles().values()) {
            bundle.records().forEach((name, record) -> {
                ObjectNode json = Json.MAPPER.createObjectNode().put("key", bundle.name() + "/" + name)
                        .put("bundle", bundle.name()).put("revision", bundle.revision());
                add(list, selection, json, record, groups(bundle, record));
            });
        }
        for (Registration registration : now.registrations().values()) {
            registration.records().forEach((name, record) -> add(list, selection, json(registration, name), record,
                    groups(registration.tools().get(name))));
        }
        Answers.validated(ctx, answer);
    }

    private static void add(ArrayNode list, Selection selection, ObjectNode json, ResourceRecord record,
            Set<String> groups) {
        if (!selection.takes(groups, record.source().type()))
            return;
        json.set("source", Json.MAPPER.valueToTree(record.source()));
        json.set("groups", Json.MAPPER.valueToTree(groups));
        json.set("resource", record.resource());
        list.add(json);
    }

    /// Returns the declared and live resources.
    ///
    /// @throws ProblemException when they are not known yet
    static FleetResources view(Declarations service, InstantSource clock) {
        return service.resources().map(all -> all.live(clock.instant())).orElseThrow(() -> new ProblemException(Problem
                .notReady("The resources have not been read to their end yet. Ask again in a second.", List.of())));
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
