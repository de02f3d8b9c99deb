package dev.toolfleet.worker.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.client.AgentAnswers;
import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;

/// An agent runtime whose agents repeat what they are told: `fail` fails, `silence` is not answered, `slow` only after
/// six signs of life.
final class EchoAgents implements AutoCloseable {
    final List<AgentEvent> seen = new CopyOnWriteArrayList<>();
    private final AgentInbox inbox;
    private final AgentAnswers answers;
    private final Thread thread;
    private volatile boolean closing;

    EchoAgents(TestFleet fleet) {
        ClientConfig config = ClientConfig.of(fleet.kafka().bootstrapServers()).on(fleet.topics).named("echo")
                .waitingForBroker(Duration.ofMinutes(1));
        inbox = AgentInbox.open(config, fleet.kafka().newGroup());
        answers = AgentAnswers.open(config);
        thread = Thread.ofPlatform().name("echo-agents").start(this::run);
    }

    private void run() {
        while (!closing) {
            for (AgentEvent event : inbox.next(Duration.ofMillis(100))) {
                seen.add(event);
                if (event.type() == AgentEvent.Type.DELEGATE)
                    answer(event).toCompletableFuture().join();
            }
        }
        inbox.close();
    }

    private CompletionStage<Void> answer(AgentEvent event) {
        String input = requireNonNull(event.payload()).path("input").asString();
        return switch (input) {
            case "silence" -> CompletableFuture.completedStage(null);
            case "fail" ->
                answers.failed(event, new ToolError("E_OUT_OF_WORDS", "EchoError", "no words", "Wait.", null));
            case "slow" -> {
                for (int sign = 1; sign <= 6; sign++) {
                    pause();
                    answers.working(event, new Progress(sign * 10.0, "going on")).toCompletableFuture().join();
                }
                pause();
                yield answers.answered(event, StringNode.valueOf("echo: slow"));
            }
            default -> answers.answered(event, StringNode.valueOf("echo: " + input));
        };
    }

    /// Simulates the agent's work, which takes its time.
    private static void pause() {
        try {
            Thread.sleep(2_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(20_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answers.close();
    }
}
