package dev.toolfleet.cli.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.cli.bundle.ResourceReader;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.session.prompt.PromptBuilder;
import dev.toolfleet.session.prompt.PromptContext;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet prompt show`: the system prompt of an agent, of its declared text and the tools of its newest step.
public final class PromptViewer {
    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Prompts of this fleet.
    public PromptViewer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints the prompt; its digest and its sections go to the error output.
    ///
    /// @param maxTokens the prompt's budget
    /// @param json one JSON object with all of it instead
    /// @throws Failure when the instance's agent has no catalog, or the prompt does not fit
    public int show(String instanceKey, String agent, Prompt.Mode mode, long maxTokens, boolean json) {
        PromptContext context = context(instanceKey, agent);
        return switch (PromptBuilder.standard(TokenCounter.STANDARD).build(context, mode, maxTokens)) {
            case Prompt.TooLarge tooLarge -> throw Failure.failed(tooLarge.message());
            case Prompt.Built built -> {
                print(built, json);
                yield Failure.SUCCESS;
            }
        };
    }

    private PromptContext context(String instanceKey, String agent) {
        String system = new ResourceReader(fleet.name(Topic.RESOURCE), fleet.kafka()).read().view().agent(agent)
                .map(DeclaredAgent::spec).map(AgentSpec::system).orElse(null);
        try (ProgressNote progress = fleet.progress(); CatalogTopics topics = new CatalogTopics(fleet, progress)) {
            StepCatalog step = CatalogViewer.chosen(topics.steps(instanceKey), instanceKey, Optional.of(agent))
                    .getFirst();
            List<ToolCatalogItem> items = topics.contents(step.digest()::equals).getOrDefault(step.digest(), List.of());
            return PromptContext.of(agent, system, items.stream().map(PromptViewer::tool).toList(),
                    fleet.clock().instant());
        }
    }

    private static PromptContext.Tool tool(ToolCatalogItem item) {
        String description = item.description();
        return new PromptContext.Tool(item.name(), description == null ? "" : description);
    }

    private void print(Prompt.Built built, boolean json) {
        if (json) {
            terminal.print(json(built).toString());
            return;
        }
        terminal.print(built.text());
        terminal.note(built.digest() + ", " + built.boundary() + " of " + built.text().length()
                + " characters before the cache boundary");
        for (Prompt.Part part : built.sections())
            terminal.note("  " + part.id() + ": " + part.tokens() + " tokens, " + stability(part));
        if (!built.dropped().isEmpty())
            terminal.note("dropped: " + String.join(", ", built.dropped()));
        if (!built.shortened().isEmpty())
            terminal.note("shortened: " + String.join(", ", built.shortened()));
    }

    private static ObjectNode json(Prompt.Built built) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("text", built.text()).put("digest", built.digest())
                .put("boundary", built.boundary());
        ArrayNode sections = json.putArray("sections");
        for (Prompt.Part part : built.sections())
            sections.addObject().put("id", part.id()).put("tokens", part.tokens()).put("class", stability(part));
        json.set("dropped", Json.MAPPER.valueToTree(built.dropped()));
        json.set("shortened", Json.MAPPER.valueToTree(built.shortened()));
        return json;
    }

    private static String stability(Prompt.Part part) {
        return part.stability().name().toLowerCase(Locale.ROOT);
    }
}
