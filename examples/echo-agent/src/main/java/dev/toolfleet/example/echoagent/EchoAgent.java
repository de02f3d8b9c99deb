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

/// The smallest agent runtime: it has no model, and repeats what its agent is asked. Run it beside a fleet:
///
///     java -cp lib/echo-agent.jar:toolfleet.jar dev.toolfleet.example.echoagent.EchoAgent 127.0.0.1:9092 echo
///
/// Where it says `repeat`, a runtime of yours has a turn of its agent.
public final class EchoAgent {
    private final String name;

    private EchoAgent(String name) {
        this.name = name;
    }

    /// Answers until the process is ended. What it did not get to is brought again to the next one.
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

    /// All are under way before the first is waited for; what has not arrived at the broker when this process dies is
    /// answered by the next.
    private void answer(List<AgentEvent> events, AgentAnswers answers) {
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (AgentEvent event : events) {
            // The topic has everybody's events.
            if (event.to().agent().equals(name) && event.type() == AgentEvent.Type.DELEGATE)
                sent.add(repeat(event, answers));
        }
        sent.forEach(each -> each.toCompletableFuture().join());
    }

    private static CompletionStage<Void> repeat(AgentEvent event, AgentAnswers answers) {
        System.out.println(event.from() + " asks " + event.to());
        JsonNode payload = event.payload();
        String input = payload == null ? "" : payload.path("input").asString("");
        // A turn that fails is said to have failed, and is no answer that says so.
        return input.isBlank()
                ? answers.failed(event, new ToolError("E_NOTHING_TO_ECHO", "EchoError", "There is nothing to repeat.",
                        "Say something in 'input'.", null))
                : answers.answered(event, StringNode.valueOf("You said: " + input));
    }
}
