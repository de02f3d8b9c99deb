package dev.toolfleet.cli.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.cli.demo.DemoScenario.DemoStep;
import dev.toolfleet.cli.fleet.DemoBundle;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.Progress;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.fleet.TopicCounts;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Took;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolResult;

/// `toolfleet demo`: starts everything in this JVM, plays the scenario, shows what happens and what is left on the
/// topics.
public final class Demo {
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final Terminal terminal;
    private final Style style;
    private final DemoTable table;
    private final List<String> surprises = new ArrayList<>();

    /// A demo for this terminal.
    public Demo(Terminal terminal) {
        this.terminal = terminal;
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
                Progress progress = new Progress(terminal)) {
            terminal.print(style.paint(Style.Tone.BOLD, "Toolfleet demo") + ": an agent does a small job, and every"
                    + " call travels through Kafka.");
            Path workspace = temporary.path().resolve("workspace");
            try (OneJvmFleet fleet = OneJvmFleet.start(FleetPlan.temporary(workspace,
                    DemoBundle.in(temporary.path().resolve("bundle")), java.util.Map.of()), progress)) {
                terminal.print("Broker, catalog service and worker run in this JVM, started in "
                        + Took.text(since(begun)) + ".");
                terminal.print("");
                table.head().forEach(terminal::print);
                play(fleet);
                terminal.print("");
                TopicCounts.read(fleet.config()).lines(style, terminal.width()).forEach(terminal::print);
            } catch (InterruptedException e) {
                if (!stop.asked())
                    throw e;
                throw Failure.failed("the demo was stopped", e);
            }
        }
        return end();
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

    private void play(OneJvmFleet fleet) throws InterruptedException {
        long zero = System.nanoTime();
        try (ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("demo"))) {
            int number = 0;
            for (DemoStep step : DemoScenario.steps(System.getProperty("java.home")))
                play(++number, step, client, zero);
        }
    }

    private void play(int number, DemoStep step, ToolFleetClient client, long zero) throws InterruptedException {
        var call = step.call();
        show(new DemoEvent.StepBegins(number, step.thought()));
        long announced = System.nanoTime();
        StepCatalogView catalog = get(client.beginStep(new StepStarted(call.instanceKey(), DemoScenario.AGENT,
                String.valueOf(call.turnId()), String.valueOf(call.stepId()), call.stepIndex(), null, null, null)));
        show(new DemoEvent.CatalogShown(since(zero), since(announced), catalog.tools().size(), catalog.digest()));
        long called = System.nanoTime();
        show(new DemoEvent.Called(since(zero), call));
        ToolResult result = get(client.call(call, CallOptions.within(STEP_TIMEOUT)).result());
        show(new DemoEvent.Answered(since(zero), since(called), result));
        if (result.status() != step.expected())
            surprises.add("Step " + number + " should have ended with " + step.expected() + ", not " + result.status()
                    + ": " + result);
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
