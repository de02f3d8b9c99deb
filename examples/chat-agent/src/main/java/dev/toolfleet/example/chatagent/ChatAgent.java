package dev.toolfleet.example.chatagent;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.client.Sessions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.compaction.Compaction;
import dev.toolfleet.session.compaction.CompactionOptions;
import dev.toolfleet.session.compaction.Compactor;
import dev.toolfleet.session.compaction.Strategy;
import dev.toolfleet.session.compaction.Summarizer;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// An agent runtime without state of its own. Its model follows a script: some commands, then an answer. Kill it, or any
/// process of the fleet, and start it again: it reads the session, and goes on with the next step. No command runs twice.
///
///     java -cp lib/chat-agent.jar:toolfleet.jar dev.toolfleet.example.chatagent.ChatAgent \
///         127.0.0.1:9092 http://127.0.0.1:7074 chat-1
///
/// Three things make this work. Messages, steps and calls have ids that follow from the step's number, so writing one
/// again changes nothing. The fleet answers a repeated call with its first result. The session service writes a result's
/// message, whether this process lives or not.
public final class ChatAgent {
    private static final String AGENT = "chatter";
    private static final String TURN = "turn-1";
    /// Commands of the script. Each notes that it ran.
    private static final List<String> SCRIPT = List.of("echo 1 >> ran.txt; seq 400", "echo 2 >> ran.txt; seq 400",
            "echo 3 >> ran.txt; seq 400", "echo 4 >> ran.txt; cat ran.txt");
    /// A small window, so that the transcript has to be compacted.
    private static final int TARGET_TOKENS = 1_500;
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final Sessions sessions;
    private final SessionReader reader;
    private final ToolFleetClient client;
    private final String instance;

    private ChatAgent(Sessions sessions, SessionReader reader, ToolFleetClient client, String instance) {
        this.sessions = sessions;
        this.reader = reader;
        this.client = client;
        this.instance = instance;
    }

    /// Plays the conversation to its end, from wherever it is.
    ///
    /// @param args the broker as `host:port`, the URL of the session service, and the conversation's key
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 3) {
            System.err.println(
                    "Name broker, session service and conversation: 127.0.0.1:9092 http://127.0.0.1:7074 chat-1");
            System.exit(2);
        }
        ClientConfig config = ClientConfig.of(args[0]).named("chat-agent");
        try (Sessions sessions = Sessions.open(config); ToolFleetClient client = ToolFleetClient.open(config)) {
            new ChatAgent(sessions, SessionReader.at(URI.create(args[1])), client, args[2]).run();
        }
    }

    private void run() throws IOException, InterruptedException {
        List<Entry> transcript = transcript();
        if (transcript.isEmpty())
            write("question", data(Role.USER, "Count for me, and tell me what ran."), MessageSource.Type.USER, null);
        for (int step = results(transcript) + 1; step <= SCRIPT.size(); step++) {
            shown(transcript);
            call(step);
            transcript = awaitResults(step);
            System.out.println("step " + step + ": " + text(transcript.getLast()).lines().count() + " lines");
        }
        write("answer", data(Role.ASSISTANT, "All steps ran."), MessageSource.Type.ASSISTANT, null);
        System.out.println("done: " + text(transcript.getLast()).replace('\n', ' ').strip());
    }

    /// Prints what a model would be shown: the repaired transcript, compacted into its window.
    private static void shown(List<Entry> transcript) {
        CompactionOptions options = CompactionOptions.of(Strategy.HYBRID, TARGET_TOKENS).preserving(2)
                .droppingOnFailure();
        Compaction outcome = Compactor.compact(transcript, options, request -> new Summarizer.Failure("no summariser"));
        List<Entry> entries = outcome instanceof Compaction.Done done ? done.entries() : transcript;
        System.out.println("the model is shown " + entries.size() + " of " + transcript.size() + " messages, "
                + TokenCounter.STANDARD.entries(entries) + " of " + TokenCounter.STANDARD.entries(transcript)
                + " tokens");
    }

    private void call(int step) throws InterruptedException {
        String stepId = "step-" + step;
        ToolCall call = ToolCall.of("call_" + step, "bash__exec",
                Json.MAPPER.createObjectNode().put("command", SCRIPT.get(step - 1)), instance)
                .inStep(AGENT, TURN, stepId, step);
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        ArrayNode parts = data.putArray("content");
        parts.addObject().put("type", "tool-call").put("toolCallId", call.id()).put("toolName", call.name())
                .set("input", call.args());
        write("assistant-" + step, data, MessageSource.Type.ASSISTANT, stepId);
        client.beginStep(new StepStarted(instance, AGENT, TURN, stepId, step, null, null, null)).toCompletableFuture()
                .join();
        client.call(call, CallOptions.within(WITHIN)).result().toCompletableFuture().join();
    }

    private List<Entry> awaitResults(int count) throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + WITHIN.toNanos();
        for (List<Entry> transcript = transcript();; transcript = transcript()) {
            if (results(transcript) >= count)
                return transcript;
            if (System.nanoTime() - giveUp > 0)
                throw new IllegalStateException("the session has no result of step " + count);
            Thread.sleep(LOOK_EVERY);
        }
    }

    private List<Entry> transcript() throws IOException, InterruptedException {
        List<Entry> entries = new ArrayList<>();
        Optional<JsonNode> view = reader.messages(instance, AGENT, SessionReader.View.MODEL);
        for (JsonNode message : view.map(found -> found.path("messages")).orElse(Json.MAPPER.createArrayNode())) {
            entries.addAll(MessageData.entries(new SessionMessage(message.path("id").asString(""), message.path("data"),
                    null, Instant.EPOCH, MessageSource.of(MessageSource.Type.UNKNOWN))));
        }
        return entries;
    }

    /// Real results; a repair's synthetic ones stand for calls that this process has still to make.
    private static int results(List<Entry> transcript) {
        return (int) transcript.stream().filter(entry -> entry.role() == Role.TOOL)
                .filter(entry -> !text(entry).equals("[Tool result unavailable]")).count();
    }

    private static String text(Entry entry) {
        JsonNode output = entry.content();
        return output.isString() ? output.stringValue() : output.path("stdout").asString("");
    }

    private void write(String id, ObjectNode data, MessageSource.Type type, @Nullable String step) {
        SessionMessage message = new SessionMessage(id, data, null, Instant.now(),
                new MessageSource(type, step, null, null, null));
        sessions.append(instance, AGENT, message).toCompletableFuture().join();
    }

    private static ObjectNode data(Role role, String text) {
        return Json.MAPPER.createObjectNode().put("role", role.wireName()).put("content", text);
    }
}
