package dev.toolfleet.cli.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.cli.console.FleetCommands;
import dev.toolfleet.cli.demo.DemoCaller.HttpCatalog;
import dev.toolfleet.cli.demo.DemoScenario.DemoStep;
import dev.toolfleet.cli.fleet.DemoBundle;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.fleet.TopicCounts;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

import static java.util.Objects.requireNonNull;

/// `toolfleet demo`: starts everything in this JVM, plays the scenario, shows what happens and what is left on the
/// topics.
public final class Demo {
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final String HTTP_KEY = "script-1";
    private static final String APPROVAL_TIMEOUT = "worker.approvals.timeout";

    private final Terminal terminal;
    private final Style style;
    private final DemoTable table;
    private final Map<String, String> settings;
    private final Optional<BundleSigner> signer;
    private final boolean keeps;
    private final List<String> surprises = new ArrayList<>();

    /// A demo for this terminal.
    ///
    /// @param settings of `worker`, `catalog` and `gateway`, by full key
    /// @param signer signs the demo's bundles; empty for bundles that need no signature
    /// @param keeps true for a fleet that goes on after the tour, with a call that waits for a person
    public Demo(Terminal terminal, Map<String, String> settings, Optional<BundleSigner> signer, boolean keeps) {
        this.terminal = terminal;
        this.settings = settings;
        this.signer = signer;
        this.keeps = keeps;
        this.style = new Style(terminal.colour());
        this.table = new DemoTable(style, Math.min(terminal.width(), 140));
    }

    /// Plays it.
    ///
    /// @return 0 when every step ended as it should
    public int run() throws InterruptedException {
        long begun = System.nanoTime();
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                TempFolder temporary = TempFolder.create();
                ProgressNote progress = new ProgressNote(terminal)) {
            terminal.print(style.paint(Style.Tone.BOLD, "Toolfleet demo") + ": an agent does a small job, and every"
                    + " call travels through Kafka.");
            try (OneJvmFleet fleet = OneJvmFleet.start(plan(temporary.path()), progress)) {
                terminal.print("Broker, catalog service"
                        + (fleet.sessionUrl().isPresent() ? ", session service" : "")
                        + (fleet.gatewayUrl().isPresent() ? ", worker and gateway" : " and worker")
                        + " run in this JVM, started in " + DurationText.text(since(begun)) + ".");
                fleet.gatewayUrl().ifPresent(url -> terminal.print("The gateway is at " + url + "."));
                terminal.print("");
                table.head().forEach(terminal::print);
                Optional<String> open = play(fleet);
                terminal.print("");
                TopicCounts.read(fleet.config()).lines(style, terminal.width()).forEach(terminal::print);
                if (keeps)
                    stay(fleet, open, stop);
            } catch (InterruptedException e) {
                if (!stop.asked())
                    throw e;
                throw Failure.failed("the demo was stopped", e);
            }
        }
        return end();
    }

    private FleetPlan plan(Path folder) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent(OneJvmFleet.SESSION_HTTP_PORT, "0");
        if (keeps) {
            all.putIfAbsent(OneJvmFleet.WORKER_HTTP_PORT, "0");
            all.putIfAbsent(APPROVAL_TIMEOUT, "12h");
        }
        return new FleetPlan(0, Optional.empty(), folder.resolve("workspace"),
                broker -> List.of(DemoBundle.withBuilds(folder.resolve("bundle"), broker)), all, signer,
                Optional.of(FleetCommands::console));
    }

    /// Waits for the signal that ends the demo.
    ///
    /// @param open the handle of the call that waits for a person
    private void stay(OneJvmFleet fleet, Optional<String> open, StopSignal stop) {
        terminal.print("");
        terminal.print(style.paint(Style.Tone.BOLD, "The fleet keeps running.") + " Ctrl-C stops it.");
        terminal.print("  broker     " + fleet.bootstrapServers() + " (this machine only, no encryption)");
        fleet.gatewayUrl().ifPresent(url -> terminal.print("  gateway    " + url + " (HTTP)"));
        fleet.consoleUrl().ifPresent(url -> terminal.print("  console    " + url + " (in your browser)"));
        open.ifPresent(handle -> {
            terminal.print(fleet.consoleUrl().isPresent()
                    ? "One call waits for your approval: open the console, or type"
                    : "One call waits for your approval: type");
            terminal.print("  " + Terminal.command() + " approve " + handle + " --bootstrap "
                    + fleet.bootstrapServers());
        });
        stop.await();
        terminal.note("toolfleet: stopping ...");
    }

    private int end() {
        terminal.print("");
        if (!surprises.isEmpty()) {
            surprises.forEach(terminal::print);
            return Failure.FAILED;
        }
        terminal.print(
                "Next: " + Terminal.command() + " init my-tools creates a bundle of your own; " + Terminal.command()
                        + " dev keeps a fleet running.");
        return Failure.SUCCESS;
    }

    /// Plays the steps.
    ///
    /// @return the handle of the call that waits for a person; empty for none
    private Optional<String> play(OneJvmFleet fleet) throws InterruptedException {
        long zero = System.nanoTime();
        try (ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("demo"));
                ProgressReader progress = ProgressReader.open(fleet);
                Decisions person = Decisions.open(fleet.clientConfig("person"));
                DemoReviewer _ = DemoReviewer.start(fleet.clientConfig(DemoReviewer.AGENT));
                DemoSession session = DemoSession.open(fleet)) {
            List<Waiting> waiting = new ArrayList<>();
            int number = 0;
            for (DemoStep step : DemoScenario.steps(System.getProperty("java.home")))
                play(++number, step, client, person, session, zero).ifPresent(waiting::add);
            for (Waiting each : waiting)
                end(each, progress, zero);
            if (fleet.gatewayUrl().isPresent()) {
                playOverHttp(++number, fleet.gatewayUrl().get(), zero);
                playOverMcp(++number, fleet.gatewayUrl().get(), zero);
            }
            session.show(terminal);
            return keeps ? leave(DemoScenario.leftOpen(), client, session) : Optional.empty();
        }
    }

    /// Sends a call that is left to the person who watches. It goes on in the fleet when the client is closed.
    private Optional<String> leave(DemoStep step, ToolFleetClient client, DemoSession session)
            throws InterruptedException {
        ToolCall call = step.call();
        StepCatalogView catalog = get(client.beginStep(started(call)));
        session.calling(step.thought(), call, catalog.tools());
        ToolResult result = get(client.call(call, CallOptions.within(STEP_TIMEOUT)).firstResult());
        if (result.status() != step.expected())
            surprises.add("The last call should wait for a person, and has ended: " + result);
        return Optional.ofNullable(result.handle());
    }

    private static StepStarted started(ToolCall call) {
        return new StepStarted(call.instanceKey(), DemoScenario.AGENT, String.valueOf(call.turnId()),
                String.valueOf(call.stepId()), call.stepIndex(), null, null, null);
    }

    /// A call that is pending.
    ///
    /// @param what happens meanwhile
    private record Waiting(int number, String what, CompletableFuture<ToolResult> result, long called) {}

    private Optional<Waiting> play(int number, DemoStep step, ToolFleetClient client, Decisions person,
            DemoSession session, long zero) throws InterruptedException {
        ToolCall call = step.call();
        show(new DemoEvent.StepBegins(number, step.thought()));
        long announced = System.nanoTime();
        StepCatalogView catalog = get(client.beginStep(started(call)));
        show(new DemoEvent.CatalogShown(since(zero), since(announced), catalog.tools().size(), catalog.digest()));
        session.calling(step.thought(), call, catalog.tools());
        long called = System.nanoTime();
        show(new DemoEvent.Called(since(zero), call));
        CallHandle handle = client.call(call, CallOptions.within(STEP_TIMEOUT));
        ToolResult result = get(handle.firstResult());
        show(new DemoEvent.Answered(since(zero), since(called), result));
        check(number, step.expected(), result);
        if (result.isFinal())
            return Optional.empty();
        Waiting waiting = new Waiting(number, step.sequel().what(), handle.result().toCompletableFuture(), called);
        if (!step.sequel().isAwaited())
            return Optional.of(waiting);
        show(new DemoEvent.StepGoesOn(number, waiting.what()));
        if (step.sequel().isApproved())
            get(person.approve(requireNonNull(result.handle()), "a person at the demo", null));
        ended(waiting, zero);
        return Optional.empty();
    }

    private void playOverHttp(int number, String gateway, long zero) throws InterruptedException {
        DemoStep step = DemoScenario.overHttp();
        show(new DemoEvent.StepBegins(number, step.thought()));
        try (DemoCaller caller = new DemoCaller(gateway)) {
            long announced = System.nanoTime();
            HttpCatalog catalog = caller.beginStep(step.call());
            show(new DemoEvent.CatalogShown(since(zero), since(announced), catalog.tools(), catalog.digest()));
            for (int request = 1; request <= 2; request++) {
                long called = System.nanoTime();
                show(new DemoEvent.Posted(since(zero), HTTP_KEY, step.call()));
                ToolResult result = caller.call(step.call(), HTTP_KEY);
                show(new DemoEvent.Answered(since(zero), since(called), result));
                check(number, step.expected(), result);
                if (result.output() != null && !result.output().path("stdout").asString("").strip().equals("1"))
                    surprises.add("Step " + number + " should have run once: " + result.output());
            }
        }
    }

    private void playOverMcp(int number, String gateway, long zero) throws InterruptedException {
        show(new DemoEvent.StepBegins(number, DemoScenario.OVER_MCP));
        try (DemoMcpClient client = DemoMcpClient.open(gateway)) {
            long asked = System.nanoTime();
            int tools = client.listed(DemoBundle.MCP_TOOL);
            show(new DemoEvent.McpListed(since(zero), since(asked), tools, client.revision()));
            long called = System.nanoTime();
            show(new DemoEvent.McpCalled(since(zero), DemoBundle.MCP_TOOL, DemoScenario.mcpArguments()));
            McpReply reply = client.call(DemoBundle.MCP_TOOL, DemoScenario.mcpArguments());
            String text = DemoMcpClient.text(reply);
            show(new DemoEvent.McpAnswered(since(zero), since(called), DemoBundle.MCP_TOOL, reply.isError(), text));
            if (reply.isError() || !text.contains("Friday"))
                surprises.add("Step " + number + " should have been answered by the MCP server: " + text);
        }
    }

    private void end(Waiting waiting, ProgressReader progress, long zero) throws InterruptedException {
        show(new DemoEvent.StepGoesOn(waiting.number(), waiting.what()));
        Instant begun = Instant.now().minus(since(zero));
        boolean last;
        do {
            last = waiting.result().isDone();
            progress.read().forEach(said -> show(new DemoEvent.Progressed(Duration.between(begun, said.at()), said)));
        } while (!last);
        ended(waiting, zero);
    }

    private void ended(Waiting waiting, long zero) throws InterruptedException {
        ToolResult result = get(waiting.result());
        show(new DemoEvent.Answered(since(zero), since(waiting.called()), result));
        check(waiting.number(), ResultStatus.OK, result);
    }

    private void check(int step, ResultStatus expected, ToolResult result) {
        if (result.status() != expected)
            surprises.add("Step " + step + " should have ended with " + expected + ", not " + result.status() + ": "
                    + result);
    }

    private void show(DemoEvent event) {
        table.lines(event).forEach(terminal::print);
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    private static <T> T get(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(STEP_TIMEOUT.toMillis() + 5000, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Failure.failed(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e);
        } catch (TimeoutException e) {
            throw Failure.failed("nothing came within " + STEP_TIMEOUT.toSeconds() + " s", e);
        }
    }
}
