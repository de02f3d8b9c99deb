package dev.toolfleet.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.cli.errors.ErrorQuery;
import dev.toolfleet.cli.errors.Errors;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "errors", header = "Counts the calls that failed, by code, tool or agent.", description = {"",
        "Reads tool.error, which has one event for each final error result, from the time of --since to its end, and"
                + " prints for each code, tool or agent how many there were, their share, when the first and the last"
                + " occurred, and the newest as an example, with its call id and instance. It needs no worker.",
        "",
        "Events never hold arguments; messages of tools that access sensitive data are not shown. Notices, which stand"
                + " beside results that are no errors, are not counted. 2,000 codes, tools or agents are told apart;"
                + " what comes in more is counted together."}, footer = {"", "Examples:",
                        "  toolfleet errors --since 1h --by tool",
                        "  toolfleet errors --since 7d --tool 'bash__*'",
                        "  toolfleet errors --code E_TOOL_TIMEOUT --by agent --json | jq .groups[0].example",
                        "",
                        "Exit codes: 0 they were counted, also when there were none; 1 the topic cannot be read; 2 usage."})
final class ErrorsCommand extends FleetCommand {
    private static final Duration DEFAULT_SPAN = Duration.ofHours(1);

    @Option(names = "--since", paramLabel = "TIME", converter = PastOption.class, description = "How long ago the first may have occurred, such as 10m or 7d, or an instant (default: 1h).")
    private @Nullable Instant since;

    @Option(names = "--until", paramLabel = "TIME", converter = PastOption.class, description = "Counts what occurred before that time (default: now).")
    private @Nullable Instant until;

    @Option(names = "--by", paramLabel = "WHAT", description = "code, tool or agent (default: code).")
    private ErrorQuery.By by = ErrorQuery.By.CODE;

    @Option(names = "--tool", paramLabel = "GLOB", description = "Only of tools with such names, such as bash__exec or 'bash__*'.")
    private @Nullable String tool;

    @Option(names = "--agent", paramLabel = "NAME", description = "Only of this agent.")
    private @Nullable String agent;

    @Option(names = "--code", paramLabel = "CODE", description = "Only with this code.")
    private @Nullable String code;

    @Option(names = "--instance", paramLabel = "KEY", description = "Only of this instance.")
    private @Nullable String instance;

    @Option(names = "--limit", paramLabel = "N", description = "How many rows the table has (default: 20). JSON has all.")
    private int limit = 20;

    @Option(names = "--json", description = "Prints {by, since, until, errors, groups: [{count, share, first, last, example}], ...}.")
    private boolean json;

    ErrorsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        Instant end = until == null ? Instant.now() : until;
        Instant from = since == null ? end.minus(DEFAULT_SPAN).truncatedTo(ChronoUnit.SECONDS) : since;
        if (!from.isBefore(end))
            throw Failure.invalid("--since " + from + " is not before " + (until == null ? "now, " : "--until ") + end);
        if (limit < 1)
            throw Failure.invalid("--limit " + limit + " shows nothing; it is at least 1");
        return new Errors(fleet())
                .run(new ErrorQuery(by, from, until, glob(tool), agent, code, instance), limit, json);
    }

    static @Nullable Glob glob(@Nullable String pattern) {
        if (pattern == null)
            return null;
        Glob.problem(pattern).ifPresent(problem -> {
            throw Failure.invalid("--tool '" + pattern + "' " + problem
                    + "; write a tool's name, or a pattern such as 'bash__*'");
        });
        return Glob.of(pattern);
    }
}
