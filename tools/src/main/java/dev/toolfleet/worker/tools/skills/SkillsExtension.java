package dev.toolfleet.worker.tools.skills;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.SkillsConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.AgentSkills;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.Query;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The part of the built-in extension `skills` in workers: publishes `skills__list {query?}` and `skills__open {name}`
/// for the agent that lists the extension. In the catalog service, opening a skill puts its tools into the agent's next
/// step.
public final class SkillsExtension implements ExtensionModule {
    private static final String LIST = "Lists the skills: instructions for tasks, each with the tools for it. Open one "
            + "with " + SkillsConfig.OPEN + " before you begin such a task.";
    private static final String OPEN = "Opens a skill: returns its instructions. Its tools are there from your next "
            + "step on.";

    private final Shelf.Source shelves;
    private final Predicate<String> env;

    /// @param shelves the skills and tools of agents
    /// @param env true for an environment variable that is set
    public SkillsExtension(Shelf.Source shelves, Predicate<String> env) {
        this.shelves = shelves;
        this.env = env;
    }

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode json) {
        SkillsConfig config = SkillsConfig.of(json);
        if (!registrar.runsTools())
            return;
        registrar.tools().publish(declaration(SkillsConfig.LIST, LIST, "query",
                "Words of the task; without it, all skills are listed.", false),
                (ctx, input) -> list(config, ctx, input));
        registrar.tools().publish(declaration(SkillsConfig.OPEN, OPEN, "name", "The name of the skill.", true),
                (ctx, input) -> open(config, ctx, input));
    }

    private static ToolDeclaration declaration(String name, String description, String parameter, String meaning,
            boolean required) {
        ObjectNode parameters = Json.MAPPER.createObjectNode().put("type", "object");
        parameters.putObject("properties").putObject(parameter).put("type", "string").put("description", meaning);
        if (required)
            parameters.putArray("required").add(parameter);
        parameters.put("additionalProperties", false);
        return ToolDeclaration.of(name, description, parameters).readOnly();
    }

    private ToolOutput list(SkillsConfig config, ToolContext ctx, ObjectNode input) throws ToolException {
        Shelf shelf = shelf(ctx);
        Readiness readiness = new Readiness(shelf, config, env);
        String query = new Arguments(input).text("query", "").strip();
        List<SkillSpec> skills = admitted(shelf, config);
        List<SkillSpec> found = query.isEmpty()
                ? skills
                : Query.of(query).best(skills, skill -> new Query.Described(skill.name(), skill.description()),
                        skills.size());
        ObjectNode result = SkillList.of(
                found.stream().map(skill -> new SkillList.Entry(skill, readiness.problem(skill))).toList(),
                config.maxListCharacters());
        if (found.isEmpty())
            result.put("message", skills.isEmpty()
                    ? "There are no skills for you."
                    : "No skill matches; search with other words, or list all without a query.");
        return ToolOutput.of(result);
    }

    private ToolOutput open(SkillsConfig config, ToolContext ctx, ObjectNode input) throws ToolException {
        String name = new Arguments(input).requiredText("name");
        Shelf shelf = shelf(ctx);
        List<SkillSpec> skills = admitted(shelf, config);
        Optional<SkillSpec> found = skills.stream().filter(skill -> skill.name().equals(name)).findFirst();
        if (found.isEmpty())
            throw new ToolException("E_TOOL", "There is no skill '" + name + "' for you.").suggestion(
                    Nearest.hint(name, skills.stream().map(SkillSpec::name).toList(), "Call " + SkillsConfig.LIST
                            + " for the names."));
        SkillSpec skill = found.get();
        Optional<String> problem = new Readiness(shelf, config, env).problem(skill);
        if (problem.isPresent())
            throw new ToolException("E_TOOL", "The skill '" + name + "' is not ready: " + problem.get() + ".")
                    .suggestion("Do the task without it, or tell the person you work for.");
        return ToolOutput.of(opened(skill, config));
    }

    private static ObjectNode opened(SkillSpec skill, SkillsConfig config) {
        ObjectNode result = Json.MAPPER.createObjectNode().put("name", skill.name())
                .put("version", skill.version().text()).put("body", skill.body());
        ArrayNode tools = result.putArray("tools");
        ArrayNode withheld = Json.MAPPER.createArrayNode();
        for (SkillSpec.Tool tool : skill.tools())
            config.tierProblem(tool.minimumTier(), config.modelTier()).ifPresentOrElse(
                    reason -> withheld.addObject().put("name", tool.name()).put("reason", reason),
                    () -> tools.add(tool.name()));
        if (!withheld.isEmpty())
            result.set("withheld", withheld);
        return result;
    }

    private Shelf shelf(ToolContext ctx) throws ToolException {
        String agent = ctx.agentName();
        if (agent == null)
            throw new ToolException("E_TOOL", "The call names no agent, and skills belong to agents.")
                    .suggestion("Send agentName with the call.");
        return shelves.of(agent, new PolicyCaller(ctx.caller().userId(), ctx.caller().channelId(), agent));
    }

    private static List<SkillSpec> admitted(Shelf shelf, SkillsConfig config) {
        return shelf.skills().stream().map(AgentSkills.Declared::spec).filter(skill -> config.admits(skill.name()))
                .toList();
    }
}
