package dev.toolfleet.cli.command;

import java.time.Instant;
import java.time.ZoneId;

import dev.toolfleet.cli.tail.Tail;
import dev.toolfleet.cli.tail.TailOptions;
import dev.toolfleet.cli.tail.TailOptions.Start;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "tail", header = "Shows calls, results, errors, progress, catalogs or the audit as they are written.", description = {
        "",
        "WHAT is calls, results, errors, progress, catalog or audit. It begins with what is written from now on and goes on"
                + " until Ctrl-C. A line has the time, the instance, the tool, what became of it, the call's id, and what"
                + " was passed, returned or said, shortened; what a terminal would obey or hide is written as an escape."
                + " Lines of one partition are in its order; those of several are sorted by time as they come.",
        "",
        "Hides arguments and results of tools that access sensitive data"
                + " (accessesSensitiveData) and of those that no applied bundle declares. Values of arguments whose names"
                + " sound secret are left out. catalog shows the catalog of each step: digest, tools, revision."
                + " audit shows verdicts, people's decisions and operators' actions, which hold no arguments."}, footer = {
                        "", "Examples:",
                        "  toolfleet tail results --bootstrap broker:9092",
                        "  toolfleet tail calls --instance telegram:123 --since 10m",
                        "  toolfleet tail errors --tool 'bash__*' --json | jq -c .record.error",
                        "  toolfleet tail results --since 1h --no-follow --json > hour.jsonl",
                        "  toolfleet tail audit --from-beginning --no-follow --json > audit.jsonl", "",
                        "Exit codes: 0 it reached --limit or the end; 1 the topic cannot be read; 2 usage;"
                                + " 130 Ctrl-C."})
final class TailCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "WHAT", description = "calls, results, errors, progress, catalog or audit.")
    private TailOptions.What what = TailOptions.What.CALLS;

    @Option(names = "--instance", paramLabel = "KEY", description = "Only of this instance.")
    private @Nullable String instance;

    @Option(names = "--agent", paramLabel = "NAME", description = "Only of this agent.")
    private @Nullable String agent;

    @Option(names = "--tool", paramLabel = "GLOB", description = "Only of tools with such names, such as bash__exec or 'bash__*'; catalogs that hold one.")
    private @Nullable String tool;

    @Option(names = "--since", paramLabel = "TIME", converter = PastOption.class, description = "Begins with what was written then: 10m, 2h, or an instant.")
    private @Nullable Instant since;

    @Option(names = "--from-beginning", description = "Begins with the oldest that is still there.")
    private boolean fromBeginning;

    @Option(names = "--limit", paramLabel = "N", description = "Ends after N lines.")
    private @Nullable Long limit;

    @Option(names = "--no-follow", description = "Ends where the topic ends now; needs --since or --from-beginning.")
    private boolean stay;

    @Option(names = "--json", description = "Prints {time, topic, partition, offset, record} as one object a line.")
    private boolean json;

    TailCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (since != null && fromBeginning)
            throw Failure.invalid("--since and --from-beginning both say where to begin; leave out one");
        if (stay && since == null && !fromBeginning)
            throw Failure.invalid("--no-follow shows nothing of what is written from now on; say where to begin with"
                    + " --since TIME or --from-beginning");
        if (limit != null && limit < 1)
            throw Failure.invalid("--limit " + limit + " shows nothing; it is at least 1");
        Start start = since != null
                ? new Start.Since(since)
                : fromBeginning ? new Start.Beginning() : new Start.Now();
        TailOptions options = new TailOptions(what, start, instance, agent, ErrorsCommand.glob(tool),
                limit == null ? Long.MAX_VALUE : limit, !stay, json);
        return new Tail(fleet(), ZoneId.systemDefault()).run(options);
    }
}
