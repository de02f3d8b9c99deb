package dev.toolfleet.cli.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.catalog.prompt.AgentPrompt;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;

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
        return switch (prompt(instanceKey, agent, mode, maxTokens)) {
            case Prompt.TooLarge tooLarge -> throw Failure.failed(tooLarge.message());
            case Prompt.Built built -> {
                print(built, json);
                yield Failure.SUCCESS;
            }
        };
    }

    private Prompt prompt(String instanceKey, String agent, Prompt.Mode mode, long maxTokens) {
        FleetResources resources = new ResourceReader(fleet.name(Topic.RESOURCE), fleet.kafka()).read().view();
        try (ProgressNote progress = fleet.progress(); CatalogTopics topics = new CatalogTopics(fleet, progress)) {
            StepCatalog step = CatalogViewer.chosen(topics.steps(instanceKey), instanceKey, Optional.of(agent))
                    .getFirst();
            List<ToolCatalogItem> items = topics.contents(step.digest()::equals).getOrDefault(step.digest(), List.of());
            return AgentPrompt.of(resources, agent, items, mode, maxTokens, fleet.clock().instant());
        }
    }

    private void print(Prompt.Built built, boolean json) {
        if (json) {
            terminal.print(AgentPrompt.json(built).toString());
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

    private static String stability(Prompt.Part part) {
        return part.stability().name().toLowerCase(Locale.ROOT);
    }
}
