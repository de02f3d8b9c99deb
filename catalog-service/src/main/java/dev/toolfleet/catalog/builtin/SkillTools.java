package dev.toolfleet.catalog.builtin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.SkillsConfig;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepContext;
import dev.toolfleet.middleware.StepSkill;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The part of the built-in extension `skills` around steps: the tools of a skill are shown in the steps after the
/// model has opened it, those of on-demand groups included, and hidden before. A tool whose skill is not admitted, or
/// needs a stronger model than the step's, stays hidden.
///
/// Workers publish `skills__list` and `skills__open`, and decide whether a skill is ready.
public final class SkillTools implements ExtensionModule {
    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode json) {
        SkillsConfig config = SkillsConfig.of(json);
        registrar.remember(SkillsConfig.OPEN, SkillTools::remember);
        registrar.step(config.priority(), (ctx, next) -> {
            Map<String, Boolean> ofSkills = ofSkills(ctx, config);
            List<StepTool> tools = new ArrayList<>(ctx.tools());
            Set<String> shown = new LinkedHashSet<>();
            tools.forEach(tool -> shown.add(tool.name()));
            ctx.known().stream().filter(tool -> ofSkills.getOrDefault(tool.name(), false))
                    .filter(tool -> tool.onDemand() && !shown.contains(tool.name())).forEach(tools::add);
            tools.removeIf(tool -> !ofSkills.getOrDefault(tool.name(), true));
            ctx.tools(tools);
            next.proceed();
            ctx.keep(tool -> ofSkills.getOrDefault(tool.name(), true));
        });
    }

    /// Returns the opened skills of the instance: those of before, and this one.
    private static @Nullable JsonNode remember(@Nullable JsonNode before, ToolResult result) {
        JsonNode output = result.output();
        String name = output == null ? "" : output.path("name").asString("");
        if (name.isEmpty())
            return null;
        Set<String> opened = new LinkedHashSet<>(opened(Optional.ofNullable(before)));
        opened.add(name);
        ObjectNode memory = JsonNodeFactory.instance.objectNode();
        ArrayNode skills = memory.putArray("opened");
        opened.forEach(skills::add);
        return memory;
    }

    private static List<String> opened(Optional<JsonNode> memory) {
        return memory.stream().flatMap(json -> json.path("opened").values().stream()).filter(JsonNode::isString)
                .map(JsonNode::stringValue).toList();
    }

    /// Returns the tools of skills, and whether the step may show them.
    private static Map<String, Boolean> ofSkills(StepContext ctx, SkillsConfig config) {
        List<String> opened = opened(ctx.remembered(SkillsConfig.OPEN));
        Optional<String> tier = ctx.hints().path(SkillsConfig.TIER_HINT).asStringOpt().or(config::modelTier);
        Map<String, Boolean> tools = new HashMap<>();
        for (StepSkill skill : ctx.skills()) {
            boolean open = opened.contains(skill.name()) && config.admits(skill.name());
            for (StepSkill.Tool tool : skill.tools())
                tools.put(tool.name(), open
                        && config.tierProblem(Optional.ofNullable(tool.minimumTier()), tier).isEmpty());
        }
        return tools;
    }
}
