package dev.toolfleet.cli.command;

import dev.toolfleet.cli.catalog.PromptViewer;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.session.prompt.Prompt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "prompt", header = "Shows system prompts.", synopsisSubcommandLabel = "COMMAND", footer = {"",
        "Examples:", "  toolfleet prompt show --instance telegram:123 --agent coder"})
final class PromptCommand extends CommandGroup {
    PromptCommand(CommandContext context) {
        super(context, "what about prompts? There is: toolfleet prompt show");
    }

    /// `prompt show`.
    @Command(name = "show", header = "Shows the system prompt of an agent in its newest step.", description = {"",
            "It is built of the Agent's spec.prompt.system and the tools that the step's published catalog holds, so denied"
                    + " tools are not in it. The digest and the sections go to the error output."}, footer = {"",
                            "Examples:", "  toolfleet prompt show --instance telegram:123 --agent coder",
                            "  toolfleet prompt show --instance i1 --agent coder --mode minimal --json | jq .sections",
                            "",
                            "Exit codes: 0 success, 1 there is no catalog, or the prompt exceeds its budget, 2 usage."})
    int show(@Mixin FleetOptions options,
            @Option(names = "--instance", required = true, paramLabel = "KEY", description = "The instance's key.") String instance,
            @Option(names = "--agent", required = true, paramLabel = "NAME", description = "The agent.") String agent,
            @Option(names = "--mode", paramLabel = "full|minimal|none", description = "The sections (default: full).", defaultValue = "full") String mode,
            @Option(names = "--max-tokens", paramLabel = "N", description = "The prompt's budget (default: ${DEFAULT-VALUE}).", defaultValue = "16000") long maxTokens,
            @Option(names = "--json", description = "Prints {text, digest, boundary, sections, dropped, shortened}.") boolean json) {
        if (maxTokens <= 0)
            throw Failure.invalid("--max-tokens " + maxTokens + " is not allowed: more than 0");
        return new PromptViewer(options.open(context())).show(instance, agent, mode(mode), maxTokens, json);
    }

    private static Prompt.Mode mode(String name) {
        return switch (name) {
            case "full" -> Prompt.Mode.FULL;
            case "minimal" -> Prompt.Mode.MINIMAL;
            case "none" -> Prompt.Mode.NONE;
            default -> throw Failure.invalid("--mode " + name + " is unknown; there are full, minimal and none");
        };
    }
}
