package dev.toolfleet.cli.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.CapturedOutput;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.ApplyException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Runner of commands whose output goes to a page.
///
/// **Contract.** A failure that a person or the brokers cause becomes an outcome with its reason.
///
/// **Threads.** Thread-safe. At most two commands read topics at a time, and one changes something; others wait.
///
/// **Why.** Each reading command reads parts of many topics, so that many pages would slow the brokers down. Changes
/// share transactional ids. Otherwise: of two people at one console, the second one's command ends that of the first.
final class CommandRunner {
    private static final int WIDTH = 160;
    private static final int READERS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /// Begins notes of commands, for people who see the output of several programs.
    private static final String PROGRAM = "toolfleet: ";

    private final FleetConfig config;
    private final InstantSource clock;
    private final Duration patience;
    private final Semaphore readers = new Semaphore(READERS, true);
    private final Semaphore writers = new Semaphore(1, true);

    CommandRunner(FleetConfig config, InstantSource clock) {
        this(config, clock, PATIENCE);
    }

    /// @param patience the longest time for which a command waits for others
    CommandRunner(FleetConfig config, InstantSource clock, Duration patience) {
        this.config = config;
        this.clock = clock;
        this.patience = patience;
    }

    /// Command of the command line.
    @FunctionalInterface
    interface Command {
        /// Runs it.
        ///
        /// @return its exit code
        int run(RemoteFleet fleet) throws InterruptedException;
    }

    /// Runs a command that reads topics, and prints JSON.
    Outcome query(Command command) {
        return within(readers, () -> captured(command, true));
    }

    /// Runs a command that reads topics, and prints text.
    Outcome preview(Command command) {
        return within(readers, () -> captured(command, false));
    }

    /// Runs a command that reads topics and changes something.
    Outcome change(Command command) {
        return within(writers, () -> within(readers, () -> captured(command, false)));
    }

    /// Runs a command that changes something, and reads no topic.
    Outcome write(Command command) {
        return within(writers, () -> captured(command, false));
    }

    private interface Work {
        Outcome outcome() throws InterruptedException;
    }

    private Outcome within(Semaphore limit, Work work) {
        try {
            if (!limit.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS))
                return refused("other commands of this console are still at work; try again in a moment");
            try {
                return work.outcome();
            } finally {
                limit.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused("the command was interrupted; what it has done is not known");
        }
    }

    private Outcome captured(Command command, boolean isJson) throws InterruptedException {
        CapturedOutput output = new CapturedOutput();
        try {
            int code = command.run(new RemoteFleet(config.copy(), output.terminal(WIDTH), clock, false));
            JsonNode json = isJson
                    ? Json.MAPPER.readTree(String.join("\n", output.results()))
                    : MissingNode.getInstance();
            return new Outcome(code == Failure.SUCCESS, json, shown(isJson ? output.notes() : output.all()));
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException("interrupted while it spoke to a broker")
                    .initCause(e);
        } catch (KafkaException e) {
            return failed(output, "Kafka: " + e.getMessage());
        } catch (Failure | FleetTopicsException | ToolFleetClientException | ApplyException e) {
            return failed(output, String.valueOf(e.getMessage()));
        }
    }

    private static Outcome failed(CapturedOutput output, String message) {
        List<String> lines = new ArrayList<>(shown(output.all()));
        lines.add(message);
        return new Outcome(false, MissingNode.getInstance(), lines);
    }

    /// Returns an outcome of a command that did not run.
    static Outcome refused(String reason) {
        return new Outcome(false, MissingNode.getInstance(), List.of(reason));
    }

    private static List<String> shown(List<String> lines) {
        return lines.stream().map(line -> line.startsWith(PROGRAM) ? line.substring(PROGRAM.length()) : line).toList();
    }
}
