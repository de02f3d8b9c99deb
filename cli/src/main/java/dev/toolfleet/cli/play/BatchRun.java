package dev.toolfleet.cli.play;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.play.ScriptPlayer.Played;
import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.script.RunScript;
import dev.toolfleet.cli.script.ScriptReader;
import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.topic.Topic;

/// `toolfleet run`, from the check of its input to the exit code. Nothing runs unless bundle, script and folders can be
/// used.
public final class BatchRun {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final int SHOWN = 20;

    private final RunOptions options;
    private final Terminal terminal;
    private final InputStream standardInput;

    /// A run that has not begun.
    public BatchRun(RunOptions options, Terminal terminal, InputStream standardInput) {
        this.options = options;
        this.terminal = terminal;
        this.standardInput = standardInput;
    }

    /// Runs it.
    ///
    /// @return 0 when every call got its final result and all else was sent, 1 when not
    /// @throws Failure for input that cannot be used, and for a fleet that does not start
    public int run() throws InterruptedException {
        OneJvmFleet.check(options.settings());
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(options.bundle()));
        RunScript script = script(bundle);
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                Results results = Results.open(options.results(), terminal)) {
            if (script.steps().isEmpty()) {
                terminal.note("toolfleet: the script holds no calls; nothing was run");
                return Failure.SUCCESS;
            }
            return run(bundle, script, results, stop);
        }
    }

    private int run(LocalBundle bundle, RunScript script, Results results, StopSignal stop)
            throws InterruptedException {
        try (TempFolder temporary = TempFolder.create();
                ProgressNote progress = new ProgressNote(terminal)) {
            Path workspace = TempFolder.writable(options.workspace().orElse(temporary.path()), "the workspace");
            try (OneJvmFleet fleet = OneJvmFleet.start(
                    FleetPlan.temporary(workspace, bundle, options.settings()).at(options.port()), progress)) {
                fleet.gatewayUrl().ifPresent(url -> terminal.note("toolfleet: the gateway is at " + url));
                return play(script, fleet, results, progress);
            } catch (InterruptedException e) {
                if (!stop.asked())
                    throw e;
                throw Failure.failed("stopped before every call had its result", e);
            }
        }
    }

    private int play(RunScript script, OneJvmFleet fleet, Results results, ProgressNote progress)
            throws InterruptedException {
        String resultTopic = fleet.config().topics().topics().name(Topic.RESULT);
        Played played;
        try (ToolFleetClient client = ToolFleetClient
                .open(fleet.clientConfig("run").waitingForCatalogs(options.timeout().plusSeconds(5)));
                Completions completions = Completions.open(fleet.clientConfig("run"));
                Decisions decisions = Decisions.open(fleet.clientConfig("run"));
                ResultTail tail = new ResultTail(resultTopic, fleet.config().kafka().clientProperties(), results)) {
            played = new ScriptPlayer(client, completions, decisions, options.timeout(),
                    (done, all) -> progress.doing(done + " of " + all + " calls have their result")).play(script);
            progress.doing("");
            tail.finish();
        }
        return report(played, script);
    }

    private int report(Played played, RunScript script) {
        note(played.missing(), script.calls().size(), "calls have no final result after "
                + options.timeout().toSeconds() + " s (--timeout):");
        note(played.unsent(), script.acts().size(), "completions, decisions and cancellations were not sent:");
        return played.missing().isEmpty() && played.unsent().isEmpty() ? Failure.SUCCESS : Failure.FAILED;
    }

    private void note(List<String> sentences, int all, String what) {
        if (sentences.isEmpty())
            return;
        terminal.note("toolfleet: " + sentences.size() + " of " + all + " " + what);
        sentences.stream().limit(SHOWN).forEach(sentence -> terminal.note("  " + sentence));
        if (sentences.size() > SHOWN)
            terminal.note("  and " + (sentences.size() - SHOWN) + " more");
    }

    private RunScript script(LocalBundle bundle) {
        String name = options.calls().map(Path::toString).orElse("standard input");
        try {
            return ScriptReader.read(read(), DefaultAgent.of(bundle, options.agent().orElse(null)));
        } catch (ScriptException e) {
            throw Failure.invalid("the script " + name + " cannot be used:\n  " + String.join("\n  ", e.problems()));
        } catch (NoSuchFileException e) {
            throw Failure.invalid("--calls " + name + ": there is no such file");
        } catch (IOException e) {
            throw Failure.invalid("--calls " + name + " cannot be read: " + e.getMessage());
        }
    }

    private byte[] read() throws IOException {
        return options.calls().isPresent()
                ? Files.readAllBytes(options.calls().get())
                : standardInput.readAllBytes();
    }

    /// Options of `toolfleet run`.
    ///
    /// @param bundle the bundle's folder
    /// @param calls the script; empty for standard input
    /// @param results where results go; empty for standard output
    /// @param agent author of calls that name no agent
    /// @param workspace root of the instances' folders; empty for one that goes away
    /// @param timeout for the whole script
    /// @param port of the broker; 0 picks a free one
    /// @param settings of `worker`, `catalog` and `gateway`
    public record RunOptions(Path bundle, Optional<Path> calls, Optional<Path> results, Optional<String> agent,
            Optional<Path> workspace, Duration timeout, int port, Map<String, String> settings) {}
}
