package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// A skill: instructions for a task, which the model reads when it needs them, and the tools for that task. Steps show
/// these tools once the model has opened the skill.
///
/// @param name unique in its bundle
/// @param version [SkillVersion#NONE] when none is declared
/// @param description the model chooses by it
/// @param minimumTier the weakest model that should use the skill; see [SkillsConfig#modelTiers]
/// @param body the instructions, Markdown as a rule
public record SkillSpec(String name, SkillVersion version, String description, List<Tool> tools, Needs requires,
        Optional<String> minimumTier, String body) {
    /// The most bytes of a body in UTF-8. The record on `tool.resource` has 1 MiB for all of a skill.
    public static final int LARGEST_BODY = 256 * 1024;

    /// A tool of a skill.
    ///
    /// @param name the full name, such as `bash__exec`
    /// @param minimumTier that of the skill when the tool declares none
    public record Tool(String name, Optional<String> minimumTier) {}

    /// Conditions without which a skill is not ready.
    ///
    /// @param env names of environment variables of the workers
    /// @param tools full names of tools that the agent must have
    /// @param groups groups with a tool that the agent must have
    /// @param skills names of other skills that must be ready
    public record Needs(List<String> env, List<String> tools, List<String> groups, List<String> skills) {}

    /// Reads a resource of kind `Skill`.
    ///
    /// @throws InvalidResourceException when it is no Skill, or a field has the wrong shape
    public static SkillSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.SKILL);
        Optional<String> tier = spec.get("minimumTier").optionalText();
        ResourceJson version = spec.get("version");
        ResourceJson requires = spec.get("requires");
        return new SkillSpec(ResourceJson.name(resource),
                version.optionalText().map(text -> SkillVersion.parse(text)
                        .orElseThrow(() -> version.wrong("a version such as 1.4.0"))).orElse(SkillVersion.NONE),
                spec.get("description").text(), spec.get("tools").list(tool -> tool(tool, tier)),
                new Needs(requires.get("env").list(ResourceJson::text), requires.get("tools").list(ResourceJson::text),
                        requires.get("groups").list(ResourceJson::text),
                        requires.get("skills").list(ResourceJson::text)),
                tier, spec.get("body").text());
    }

    private static Tool tool(ResourceJson json, Optional<String> tierOfSkill) {
        return json.node().isString()
                ? new Tool(json.text(), tierOfSkill)
                : new Tool(json.get("name").text(), json.get("minimumTier").optionalText().or(() -> tierOfSkill));
    }
}
