package dev.toolfleet.example.echoagent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.client.AgentAnswers;
import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.ToolError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// The smallest agent runtime: it has no model, and repeats its agent's input. Run it beside a fleet:
///
///     java -cp lib/echo-agent.jar:toolfleet.jar dev.toolfleet.example.echoagent.EchoAgent 127.0.0.1:9092 echo
///
/// A real runtime runs a turn of its agent in place of `repeat`.
public final class EchoAgent {
    private final String name;

    private EchoAgent(String name) {
        this.name = name;
    }

    /// Answers until the process is ended. The next process receives the unanswered events again.
    ///
    /// @param args the broker as `host:port`, and the agent's name
    public static void main(String[] args) {
        if (args.length != 2) {
            System.err.println("Say where the broker is and what the agent is called: 127.0.0.1:9092 echo");
            System.exit(2);
        }
        ClientConfig config = ClientConfig.of(args[0]).named("echo-agent");
        EchoAgent agent = new EchoAgent(args[1]);
        try (AgentInbox inbox = AgentInbox.open(config, "echo-agent-" + args[1]);
                AgentAnswers answers = AgentAnswers.open(config)) {
            System.out.println("Agent '" + args[1] + "' listens.");
            while (!Thread.currentThread().isInterrupted())
                agent.answer(inbox.next(Duration.ofSeconds(1)), answers);
        }
    }

    /// Sends all answers before it waits for the first. The next process answers the events whose answers the broker
    /// does not have when this process dies.
    private void answer(List<AgentEvent> events, AgentAnswers answers) {
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (AgentEvent event : events) {
            // The topic has the events of all agents.
            if (event.to().agent().equals(name) && event.type() == AgentEvent.Type.DELEGATE)
                sent.add(repeat(event, answers));
        }
        sent.forEach(each -> each.toCompletableFuture().join());
    }

    private static CompletionStage<Void> repeat(AgentEvent event, AgentAnswers answers) {
        System.out.println(event.from() + " asks " + event.to());
        JsonNode payload = event.payload();
        String input = payload == null ? "" : payload.path("input").asString("");
        // A failed turn is reported as failed; it is not an answer about a failure.
        return input.isBlank()
                ? answers.failed(event, new ToolError("E_NOTHING_TO_ECHO", "EchoError", "There is nothing to repeat.",
                        "Say something in 'input'.", null))
                : answers.answered(event, StringNode.valueOf("You said: " + input));
    }
}
