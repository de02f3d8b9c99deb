package dev.toolfleet.catalog.builtin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepContext;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The built-in extension `tool-search`: once the model has searched, the list is the search tool and the tools of the
/// newest search, tools of on-demand groups included.
///
/// The configuration's keys are Goondan's (v0.0.3), without two of its faults. Each search covers everything that the
/// agent may be shown, so a selection can widen again. A search without results keeps the selection; it does not show
/// every tool.
public final class ToolSearch implements ExtensionModule {
    private static final String TOOL = "tool-search__search";

    /// @param toolName the search tool
    /// @param maxResults the most tools that are taken from a search
    /// @param minQueryLength a shorter query changes nothing
    /// @param persist true if a selection outlives the turn of its search
    private record Config(String toolName, int maxResults, int minQueryLength, boolean persist, int priority) {
        static Config of(ObjectNode json) {
            ExtensionConfig config = new ExtensionConfig("Extension/tool-search spec.config", json,
                    Set.of("toolName", "maxResults", "minQueryLength", "persistSelection", "priority"));
            String toolName = config.text("toolName", TOOL);
            if (ToolName.parse(toolName).isEmpty())
                throw config.wrong("toolName", "must be a full name such as " + TOOL + ", not " + toolName);
            return new Config(toolName, config.positive("maxResults", 10), config.positive("minQueryLength", 1),
                    config.flag("persistSelection", true), config.whole("priority", 0, Integer.MIN_VALUE));
        }
    }

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode json) {
        Config config = Config.of(json);
        registrar.remember(config.toolName(), (before, result) -> remember(before, result, config));
        registrar.step(config.priority(), (ctx, next) -> {
            ctx.remembered(config.toolName()).filter(memory -> config.persist() || isOf(memory, ctx.turnId(), null))
                    .ifPresent(memory -> narrow(ctx, names(memory.path("tools")), config.toolName()));
            next.proceed();
        });
    }

    /// Returns the new selection: that of the newest step with a search. Several searches of one step add up, in any
    /// order of their results.
    private static @Nullable JsonNode remember(@Nullable JsonNode before, ToolResult result, Config config) {
        JsonNode output = result.output();
        if (output == null || output.path("query").asString("").strip().length() < config.minQueryLength())
            return null;
        List<String> found = names(output.path("selectedTools")).stream().limit(config.maxResults()).toList();
        if (found.isEmpty())
            return null;
        Set<String> selected = new LinkedHashSet<>();
        if (before != null && result.stepId() != null && isOf(before, result.turnId(), result.stepId()))
            selected.addAll(names(before.path("tools")));
        selected.addAll(found);
        ObjectNode memory = JsonNodeFactory.instance.objectNode().put("turnId", result.turnId()).put("stepId",
                result.stepId());
        ArrayNode tools = memory.putArray("tools");
        selected.forEach(tools::add);
        return memory;
    }

    private static boolean isOf(JsonNode memory, @Nullable String turnId, @Nullable String stepId) {
        return turnId != null && memory.path("turnId").asString("").equals(turnId)
                && (stepId == null || memory.path("stepId").asString("").equals(stepId));
    }

    private static Set<String> names(JsonNode list) {
        Set<String> names = new LinkedHashSet<>();
        list.forEach(name -> {
            if (name.isString())
                names.add(name.stringValue());
        });
        return names;
    }

    /// Reduces the list. Tools that outer layers hid stay hidden. No layer hides on-demand tools; they are only not
    /// shown yet.
    private static void narrow(StepContext ctx, Set<String> selected, String toolName) {
        List<StepTool> tools = new ArrayList<>(ctx.tools());
        Set<String> shown = new LinkedHashSet<>();
        tools.forEach(tool -> shown.add(tool.name()));
        ctx.known().stream().filter(tool -> tool.onDemand() && !shown.contains(tool.name())).forEach(tools::add);
        tools.removeIf(tool -> !selected.contains(tool.name()) && !tool.name().equals(toolName));
        ctx.tools(tools);
    }
}
