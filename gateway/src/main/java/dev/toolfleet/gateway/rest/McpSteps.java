package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ToolAnnotations;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Steps that the gateway announces for MCP clients, which know no steps. A step serves an instance and agent for a
/// minute; then the next request announces another.
///
/// One that was announced soon after a change of the declarations serves as long as the change was ago, since the
/// catalog service may not have known it: so a list is right within twice the time that the service takes.
///
/// **Contract.** A step that another gateway does not know costs another announcement, and no result: what a call may do
/// is judged by the worker.
///
/// **Threads.** Any. Two requests at the same time may announce two steps, and the later one stays.
final class McpSteps {
    static final String TURN = ToolCall.ENDLESS_TURN;
    private static final long LIFE = Duration.ofSeconds(60).toNanos();
    private static final long SHORTEST = Duration.ofMillis(200).toNanos();
    private static final int MOST = 1_000;

    private final FleetWriter fleet;
    private final ExportHints hints;
    private final Supplier<FleetResources> declarations;
    private final LongSupplier nanos;
    private final Map<Key, Step> steps = new LinkedHashMap<>(16, 0.75f, true);
    private FleetResources seen;
    private long changedAt;

    /// @param declarations those of the moment
    /// @param nanos a clock as [System#nanoTime]
    McpSteps(FleetWriter fleet, Supplier<FleetResources> declarations, LongSupplier nanos) {
        this.fleet = fleet;
        this.hints = new ExportHints(declarations);
        this.declarations = declarations;
        this.nanos = nanos;
        this.seen = declarations.get();
        this.changedAt = nanos.getAsLong() - LIFE;
    }

    private record Key(String instance, String agent, Optional<String> user, Optional<String> channel) {
        static Key of(McpCaller caller, String instance) {
            return new Key(instance, caller.agent(), caller.principal().userId(), caller.principal().channelId());
        }
    }

    /// Step with its tools as MCP has them.
    ///
    /// @param names the catalog's name of each tool, by the name in its definition
    /// @param since the time of its announcement
    record Step(String id, String digest, List<ToolDefinition> tools, Map<String, String> names, long since) {
        Optional<ToolDefinition> find(String name) {
            return tools.stream().filter(tool -> tool.name().equals(name)).findFirst();
        }
    }

    /// Returns the step of the moment, or announces one.
    ///
    /// @param oldest the age at which another step is announced
    /// @throws dev.toolfleet.http.ProblemException when no catalog comes in time
    Step current(McpCaller caller, String instance, Duration oldest) {
        Key key = Key.of(caller, instance);
        synchronized (steps) {
            look();
            Step known = steps.get(key);
            if (known != null && nanos.getAsLong() - known.since < Math.min(life(known), oldest.toNanos()))
                return known;
        }
        long since = nanos.getAsLong();
        Step step = step(caller.agent(), since, catalog(new StepStarted(instance, caller.agent(), TURN,
                UUID.randomUUID().toString(), null, key.user.orElse(null), key.channel.orElse(null), null)));
        synchronized (steps) {
            steps.put(key, step);
            if (steps.size() > MOST)
                steps.remove(steps.keySet().iterator().next());
        }
        return step;
    }

    /// Returns the digest of the step that was shown last; null if this gateway has shown none.
    @Nullable
    String shown(McpCaller caller, String instance) {
        synchronized (steps) {
            Step known = steps.get(Key.of(caller, instance));
            return known == null ? null : known.digest();
        }
    }

    /// Notes a change of the declarations. Leases are renewed all the time, and change nothing here.
    @SuppressWarnings("ReferenceEquality") // Comparing what they hold is for those that were replaced.
    private void look() {
        FleetResources now = declarations.get();
        if (now == seen)
            return;
        if (!seen.showsWhat(now))
            changedAt = nanos.getAsLong();
        seen = now;
    }

    private long life(Step step) {
        long after = step.since - changedAt;
        return after < 0 ? 0 : Math.clamp(after, SHORTEST, LIFE);
    }

    /// Returns the step of the moment.
    Step current(McpCaller caller, String instance) {
        return current(caller, instance, Duration.ofNanos(LIFE));
    }

    private StepCatalogView catalog(StepStarted step) {
        try {
            StepCatalogView view = Stages.within(fleet.beginStep(step), CallRequest.BODY_WITHIN.plusSeconds(30));
            if (view != null)
                return view;
        } catch (ToolFleetClientException e) {
            throw Refusals.later("the step was not sent, or the broker did not confirm it");
        }
        throw Refusals.later("no catalog was published for the step in time; see that a catalog service runs");
    }

    private Step step(String agent, long since, StepCatalogView view) {
        CatalogFormat.RenderedCatalog catalog = CatalogFormat.MCP.render(view.tools());
        List<ToolDefinition> tools = new ArrayList<>();
        for (JsonNode json : catalog.tools()) {
            String original = catalog.names().getOrDefault(json.path("name").asString(), "");
            ObjectNode tool = (ObjectNode) json;
            hints.of(agent, original).ifPresent(promises -> tool.set("annotations", annotations(promises)));
            definition(tool, tools);
        }
        return new Step(view.stepId(), view.digest(), List.copyOf(tools), catalog.names(), since);
    }

    /// Headers that repeat arguments are for clients of servers behind proxies: a tool that names them wrongly is listed
    /// as one that names none.
    private static void definition(ObjectNode tool, List<ToolDefinition> tools) {
        try {
            tools.add(ToolDefinition.of(tool, Revision.V2026_07_28));
        } catch (IllegalArgumentException e) {
            tools.add(ToolDefinition.of(tool, Revision.NEWEST_LEGACY));
        }
    }

    private static ObjectNode annotations(ToolAnnotations promises) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        return json.put("readOnlyHint", promises.readOnly()).put("destructiveHint", promises.destructive())
                .put("idempotentHint", promises.idempotent()).put("openWorldHint", promises.openWorld());
    }

    /// Returns the name by which the catalog has a tool; null if the step does not show it.
    static @Nullable String original(Step step, String name) {
        return step.names.get(name);
    }
}
