package dev.toolfleet.catalog.prompt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.PromptSectionSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.session.prompt.PromptBuilder;
import dev.toolfleet.session.prompt.PromptContext;
import dev.toolfleet.session.prompt.PromptSection;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// System prompt of an agent: the sections that every prompt has, and the PromptSections that apply to the agent. The
/// tools are those of a published catalog, so a prompt never names a tool that the model cannot call.
public final class AgentPrompt {
    /// The budget of a prompt whose reader names none, in tokens.
    public static final long MAX_TOKENS = 16_000;

    private AgentPrompt() {}

    /// Builds the prompt.
    ///
    /// @param tools of a step's catalog
    /// @param maxTokens the budget
    /// @param now the time of the turn
    public static Prompt of(FleetResources resources, String agent, List<ToolCatalogItem> tools, Prompt.Mode mode,
            long maxTokens, Instant now) {
        Optional<DeclaredAgent> declared = resources.agent(agent);
        String system = declared.map(DeclaredAgent::spec).map(AgentSpec::system).orElse(null);
        PromptContext context = PromptContext.of(agent, system, tools.stream().map(AgentPrompt::tool).toList(), now);
        return PromptBuilder.standard(TokenCounter.STANDARD)
                .with(sections(resources, declared.map(DeclaredAgent::bundle).orElse(""), agent))
                .build(context, mode, maxTokens);
    }

    /// Returns the JSON form of a prompt: `text`, `digest`, `boundary`, `sections`, `dropped`, `shortened`.
    public static ObjectNode json(Prompt.Built built) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("text", built.text()).put("digest", built.digest())
                .put("boundary", built.boundary());
        ArrayNode sections = json.putArray("sections");
        for (Prompt.Part part : built.sections())
            sections.addObject().put("id", part.id()).put("tokens", part.tokens()).put("class",
                    part.stability().name().toLowerCase(Locale.ROOT));
        json.set("dropped", Json.MAPPER.valueToTree(built.dropped()));
        json.set("shortened", Json.MAPPER.valueToTree(built.shortened()));
        return json;
    }

    /// Returns one section for each name: that of the agent's bundle, else that of the bundle whose name sorts first.
    private static List<PromptSection> sections(FleetResources resources, String own, String agent) {
        List<PromptSection> sections = new ArrayList<>();
        resources.bundle(own).ifPresent(bundle -> add(sections, bundle, own, agent));
        for (BundleResources bundle : resources.bundles().values())
            add(sections, bundle, own, agent);
        return sections;
    }

    private static void add(List<PromptSection> sections, BundleResources bundle, String own, String agent) {
        for (PromptSectionSpec spec : bundle.promptSections().values()) {
            boolean taken = PromptSectionSpec.BUILT_IN.contains(spec.name())
                    || sections.stream().anyMatch(section -> section.id().equals(spec.name()));
            if (!taken && spec.appliesTo(bundle.name(), own, agent))
                sections.add(new PromptSection(spec.name(), spec.title().strip(), spec.priority(),
                        PromptSection.Stability.valueOf(spec.stability().name()), spec.required(), spec.share(),
                        context -> spec.text()));
        }
    }

    private static PromptContext.Tool tool(ToolCatalogItem item) {
        String description = item.description();
        return new PromptContext.Tool(item.name(), description == null ? "" : description);
    }
}
