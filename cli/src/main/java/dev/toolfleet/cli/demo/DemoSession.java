package dev.toolfleet.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.session.SessionViewer;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.client.Sessions;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.prompt.Prompt;
import dev.toolfleet.session.prompt.PromptBuilder;
import dev.toolfleet.session.prompt.PromptContext;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Session of the demo's agent: it writes the messages of user and model, as a runtime does, and shows the session.
final class DemoSession implements AutoCloseable {
    private static final int SHOWN = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final long PROMPT_TOKENS = 8_000;

    private static final String WISH = "Write a program, build it, have it reviewed, and tell me what happened.";

    private final Optional<SessionReader> reader;
    private final Sessions sessions;
    private List<ToolCatalogItem> tools = List.of();
    private String newest = "";

    /// @param reader empty in a fleet without session service: nothing is shown then
    private DemoSession(Sessions sessions, Optional<SessionReader> reader) {
        this.sessions = sessions;
        this.reader = reader;
    }

    /// Opens the session, and writes the user's message.
    static DemoSession open(OneJvmFleet fleet) {
        DemoSession session = new DemoSession(Sessions.open(fleet.clientConfig("demo-session")),
                fleet.sessionUrl().map(url -> SessionReader.at(URI.create(url))));
        session.write("user-1", Json.MAPPER.createObjectNode().put("role", "user").put("content", WISH),
                MessageSource.of(MessageSource.Type.USER));
        return session;
    }

    /// Writes the model's message with a call, once the session has the results that the model was shown. A message
    /// that overtakes a result stands in front of it, and then the result has to be moved.
    ///
    /// @param shown the tools that the model was shown
    void calling(String thought, ToolCall call, List<ToolCatalogItem> shown) throws InterruptedException {
        if (reader.isPresent())
            awaitResults(reader.get());
        tools = shown;
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        ArrayNode parts = data.putArray("content");
        parts.addObject().put("type", "text").put("text", thought);
        parts.addObject().put("type", "tool-call").put("toolCallId", call.id()).put("toolName", call.name())
                .set("input", call.args());
        write("assistant-" + call.stepId(), data,
                new MessageSource(MessageSource.Type.ASSISTANT, call.stepId(), null, null, null));
    }

    /// Prints the session once every call has its result, and the digest of a system prompt.
    void show(Terminal terminal) throws InterruptedException {
        if (reader.isEmpty())
            return;
        try {
            SessionState state = awaitCalls(reader.get(), _ -> false);
            JsonNode messages = reader.get()
                    .messages(DemoScenario.INSTANCE, DemoScenario.AGENT, SessionReader.View.MODEL)
                    .orElseThrow();
            terminal.print("");
            terminal.print("The session, as the next model is shown it:");
            new SessionViewer(reader.get(), terminal).print(messages, state, SHOWN);
        } catch (IOException e) {
            throw noAnswer(e);
        }
        if (prompt() instanceof Prompt.Built built) {
            terminal.print("  prompt     " + built.sections().size() + " sections, "
                    + built.digest().substring(0, 19)
                    + ", " + built.boundary() + " of " + built.text().length()
                    + " characters before the cache boundary");
        }
    }

    private Prompt prompt() {
        List<PromptContext.Tool> shown = tools.stream().map(item -> new PromptContext.Tool(item.name(),
                Optional.ofNullable(item.description()).orElse(""))).toList();
        return PromptBuilder.standard(TokenCounter.STANDARD).build(
                PromptContext.of(DemoScenario.AGENT, null, shown, Instant.now()), Prompt.Mode.FULL, PROMPT_TOKENS);
    }

    /// Waits until the session has every message of this agent, and no call that still runs: its result is there, or
    /// the handle of a call that finishes later.
    private void awaitResults(SessionReader reader) throws InterruptedException {
        try {
            awaitCalls(reader, call -> call.handle() != null);
        } catch (IOException e) {
            throw noAnswer(e);
        }
    }

    /// @param mayBeOpen the calls for which nothing waits
    private SessionState awaitCalls(SessionReader reader, Predicate<AwaitedCall> mayBeOpen)
            throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            boolean whole = holdsNewest(reader);
            Optional<SessionState> state = reader.state(DemoScenario.INSTANCE, DemoScenario.AGENT);
            if (whole && state.isPresent() && state.get().awaited().stream().allMatch(mayBeOpen))
                return state.get();
            if (System.nanoTime() - giveUp > 0) {
                throw Failure.failed("the session service did not read " + (whole ? "the result of a call" : newest)
                        + " within " + PATIENCE.toSeconds() + " s: " + state);
            }
            Thread.sleep(LOOK_EVERY);
        }
    }

    private boolean holdsNewest(SessionReader reader) throws IOException, InterruptedException {
        return reader.messages(DemoScenario.INSTANCE, DemoScenario.AGENT, SessionReader.View.LOG)
                .map(log -> log.path("messages").valueStream()
                        .anyMatch(message -> message.path("id").asString("").equals(newest)))
                .orElse(false);
    }

    private static Failure noAnswer(IOException e) {
        return Failure.failed("the session service does not answer: " + e, e);
    }

    private void write(String id, ObjectNode data, MessageSource source) {
        sessions.append(DemoScenario.INSTANCE, DemoScenario.AGENT,
                new SessionMessage(id, data, null, Instant.now(), source))
                .toCompletableFuture().join();
        newest = id;
    }

    @Override
    public void close() {
        sessions.close();
    }
}
