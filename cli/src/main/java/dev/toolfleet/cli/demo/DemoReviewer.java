package dev.toolfleet.cli.demo;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.client.AgentAnswers;
import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.wire.AgentEvent;
import org.apache.kafka.common.KafkaException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// The other agent of the demo, with a runtime of its own: it measures the lines of what it is sent.
final class DemoReviewer implements AutoCloseable {
    /// As the demo's bundle calls it.
    static final String AGENT = "reviewer";
    /// Line length that fits beside the code in most editors.
    private static final int WIDE = 100;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STOP = Duration.ofSeconds(10);

    private final ClientConfig config;
    private final Thread thread;
    private volatile boolean closing;

    private DemoReviewer(ClientConfig config) {
        this.config = config;
        this.thread = Thread.ofPlatform().name("demo-reviewer").daemon().unstarted(this::run);
    }

    /// Starts it; what it is asked before it listens waits for it.
    static DemoReviewer start(ClientConfig config) {
        DemoReviewer reviewer = new DemoReviewer(config);
        reviewer.thread.start();
        return reviewer;
    }

    private void run() {
        try (AgentInbox inbox = AgentInbox.open(config, "demo-" + AGENT);
                AgentAnswers answers = AgentAnswers.open(config)) {
            while (!closing) {
                for (AgentEvent event : inbox.next(POLL)) {
                    if (event.to().agent().equals(AGENT) && event.type() == AgentEvent.Type.DELEGATE)
                        answers.answered(event, StringNode.valueOf(review(input(event)))).toCompletableFuture().join();
                }
            }
        } catch (KafkaException e) {
            // The demo ends, and its broker with it; until then the request's own timeout ends it.
            if (!closing)
                throw e;
        }
    }

    private static String input(AgentEvent event) {
        JsonNode payload = event.payload();
        return payload == null ? "" : payload.path("input").asString("");
    }

    static String review(String program) {
        List<String> lines = program.lines().toList();
        long wide = lines.stream().filter(line -> line.length() > WIDE).count();
        return lines.size() + " lines, " + (wide == 0
                ? "none of them wider than " + WIDE + " characters."
                : wide + " of them wider than " + WIDE + " characters: break them.");
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
