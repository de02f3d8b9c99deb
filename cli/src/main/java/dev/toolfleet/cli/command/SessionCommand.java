package dev.toolfleet.cli.command;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.label.LabelOperator;
import dev.toolfleet.cli.session.SessionTail;
import dev.toolfleet.cli.session.SessionViewer;
import dev.toolfleet.cli.session.TranscriptChecker;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.client.Sessions;
import dev.toolfleet.wire.SessionReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "session", header = "Shows and repairs the messages of conversations.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Examples:", "  toolfleet session show --instance telegram:123 --agent coder",
        "  toolfleet session tail --instance telegram:123",
        "  toolfleet session check transcript.jsonl",
        "  toolfleet session repair transcript.jsonl --out repaired.jsonl"})
final class SessionCommand extends CommandGroup {
    private static final String TOKEN = "TOOLFLEET_SESSION_HTTP_TOKEN";

    SessionCommand(CommandContext context) {
        super(context,
                "what about sessions? There are: toolfleet session show, tail, check, repair, compact, truncate");
    }

    /// The session.
    static final class Which {
        @Option(names = "--instance", required = true, paramLabel = "KEY", description = "The instance's key.")
        private String instance = "";

        @Option(names = "--agent", required = true, paramLabel = "NAME", description = "The agent.")
        private String agent = "";
    }

    /// `session show`.
    @Command(name = "show", header = "Shows the messages of a session.", description = {"",
            "The log shows the messages as they were written; the model's view is repaired. It reads from a session service;"
                    + " the token that the service requires stands in TOOLFLEET_SESSION_HTTP_TOKEN."}, footer = {"",
                            "Examples:", "  toolfleet session show --instance telegram:123 --agent coder --view model",
                            "  toolfleet session show --instance i1 --agent coder --json | jq '.messages[].data'", "",
                            "Exit codes: 0 success, 1 the session is not known, or no service answers, 2 usage."})
    int show(@Mixin Which which,
            @Option(names = "--view", paramLabel = "log|model", description = "The view (default: log).", defaultValue = "log") String view,
            @Option(names = "--url", paramLabel = "URL", description = "The session service (default: ${DEFAULT-VALUE}).", defaultValue = "http://127.0.0.1:7074") URI url,
            @Option(names = "--json", description = "Prints the service's answer.") boolean json)
            throws InterruptedException {
        SessionReader reader = new SessionReader(url, Optional.ofNullable(context().environment().get(TOKEN)),
                Duration.ofSeconds(10));
        return new SessionViewer(reader, context().terminal()).show(which.instance, which.agent, view(view), json);
    }

    /// `session tail`.
    @Command(name = "tail", header = "Prints what is written to sessions, as it is written.", description = {"",
            "Messages of session.message, and the session service's reports: windows that fill, refused events,"
                    + " compactions. Ctrl-C ends it."}, footer = {"", "Examples:",
                            "  toolfleet session tail --instance telegram:123",
                            "  toolfleet session tail --agent coder --json --bootstrap broker:9092", "",
                            "Exit codes: 0 success, 1 the broker does not answer, 2 usage."})
    int tail(@Mixin FleetOptions fleet,
            @Option(names = "--instance", paramLabel = "KEY", description = "Only this instance.") @Nullable String instance,
            @Option(names = "--agent", paramLabel = "NAME", description = "Only this agent.") @Nullable String agent,
            @Option(names = "--limit", paramLabel = "N", description = "Ends after so many records.") @Nullable Long limit,
            @Option(names = "--json", description = "Prints one JSON object a line.") boolean json) {
        if (limit != null && limit < 1)
            throw Failure.invalid("--limit " + limit + " must be at least 1");
        try (SessionTail tail = new SessionTail(fleet.open(context()))) {
            return tail.follow(new SessionTail.Filter(instance, agent), ZoneId.systemDefault(),
                    limit == null ? Long.MAX_VALUE : limit, json);
        }
    }

    /// `session compact`.
    @Command(name = "compact", header = "Lets the session service make a session shorter.", description = {"",
            "The ContextPolicy that applies to the agent decides how; without one, long results are shortened. The replaced"
                    + " messages stay on session.message."}, footer = {"", "Examples:",
                            "  toolfleet session compact --instance telegram:123 --agent coder --wait 5m", "",
                            "Exit codes: 0 the session is compacted or short enough, 1 it is not, or no service answers in time, 2 usage."})
    int compact(@Mixin FleetOptions options, @Mixin Which which,
            @Option(names = "--wait", paramLabel = "TIME", converter = DurationOption.class, description = "The longest wait for the outcome (default: ${DEFAULT-VALUE}).", defaultValue = "3m") Duration wait) {
        RemoteFleet fleet = options.open(context());
        try (SessionTail tail = new SessionTail(fleet); Sessions sessions = Sessions.open(fleet.client())) {
            sessions.compact(which.instance, which.agent).toCompletableFuture().join();
            SessionReport report = tail
                    .await("compaction", new SessionTail.Filter(which.instance, which.agent), wait)
                    .orElseThrow(() -> Failure.failed("no session service has reported an outcome within "
                            + wait.toSeconds()
                            + " s; the request stays on session.message. Start a service with: toolfleet session-service"));
            context().terminal().print(which.instance + "/" + which.agent + ": " + report.message());
            ObjectNode detail = report.detail();
            return detail != null && detail.has("outcome") ? Failure.FAILED : Failure.SUCCESS;
        }
    }

    /// `session check`.
    @Command(name = "check", header = "Checks a transcript in a file.", description = {"",
            "The file has one JSON object a line, in the fleet's own layout or that of FinClaw; or it is a folder of Goondan"
                    + " with base.jsonl and events.jsonl. Nothing is changed."}, footer = {"", "Examples:",
                            "  toolfleet session check transcript.jsonl", "  toolfleet session check messages/ --json",
                            "",
                            "Exit codes: 0 the transcript is clean, 1 it has findings, 2 there is no such file."})
    int check(@Parameters(paramLabel = "FILE", description = "The file or folder.") Path file,
            @Option(names = "--json", description = "Prints one JSON object.") boolean json) {
        return new TranscriptChecker(context().terminal(), json).check(file);
    }

    /// `session repair`.
    @Command(name = "repair", header = "Repairs a transcript in a file, into a new file.", description = {"",
            "Results move behind their calls, missing ones are marked, and duplicates go. No call is invented. The new file"
                    + " has the fleet's own layout, with a checksum in each record."}, footer = {"", "Examples:",
                            "  toolfleet session repair transcript.jsonl --out repaired.jsonl", "",
                            "Exit codes: 0 the new file is written, 1 nothing of the file can be read, 2 usage."})
    int repair(@Parameters(paramLabel = "FILE", description = "The file or folder.") Path file,
            @Option(names = "--out", required = true, paramLabel = "NEW", description = "The new file.") Path out,
            @Option(names = "--json", description = "Prints one JSON object.") boolean json) {
        return new TranscriptChecker(context().terminal(), json).repair(file, out);
    }

    /// `session truncate`.
    @Command(name = "truncate", header = "Removes all messages of a session.", description = {"",
            "The conversation begins anew; session.message keeps its records."}, footer = {"", "Examples:",
                    "  toolfleet session truncate --instance telegram:123 --agent coder --bootstrap broker:9092",
                    "  toolfleet session truncate --instance telegram:123 --agent coder --clear-labels \"begun anew by ann\"",
                    "", "Exit codes: 0 the event is written, 1 the broker does not answer, 2 usage."})
    int truncate(@Mixin FleetOptions fleet, @Mixin Which which,
            @Option(names = "--clear-labels", paramLabel = "WHY", description = "Also clears the labels of the instance, as toolfleet labels clear does, with this reason for auditors.") @Nullable String clearLabels) {
        RemoteFleet remote = fleet.open(context());
        try (Sessions sessions = Sessions.open(remote.client())) {
            sessions.truncate(which.instance, which.agent).toCompletableFuture().join();
        }
        context().terminal().print(which.instance + "/" + which.agent + ": the event is written");
        if (clearLabels != null)
            new LabelOperator(remote).clearAny(which.instance,
                    new LabelOperator.Reason(System.getProperty("user.name", "unknown"), clearLabels));
        return Failure.SUCCESS;
    }

    private static SessionReader.View view(String name) {
        return switch (name) {
            case "log" -> SessionReader.View.LOG;
            case "model" -> SessionReader.View.MODEL;
            default -> throw Failure.invalid("--view " + name + " is unknown; there are log and model");
        };
    }
}
