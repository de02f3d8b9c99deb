package dev.toolfleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.wire.Progress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;

/// A [ToolContext] for tests of handlers, with a value for everything and setters.
///
/// ```java
/// try (var ctx = FakeToolContext.create().deadlineIn(Duration.ofSeconds(5))) {
///     var output = module.handlers().get("exec").handle(ctx, input);
/// }
/// ```
///
/// Thread-safe. [#close] deletes the workdir that [#create] made.
public final class FakeToolContext implements ToolContext, AutoCloseable {
    private static final Duration DEFAULT_TIME = Duration.ofSeconds(30);

    private final Path workdir;
    private final boolean ownsWorkdir;
    private final RecordingLogger logger = new RecordingLogger();
    private final AtomicInteger handles = new AtomicInteger();
    private final List<Progress> progress = new CopyOnWriteArrayList<>();
    private volatile Caller caller = new Caller("user-1", "channel-1");
    private volatile String instanceKey = "instance-1";
    private volatile String toolCallId = "call-1";
    private volatile @Nullable JsonNode message;
    private volatile Instant deadline = Instant.now().plus(DEFAULT_TIME);
    private volatile boolean cancelled;
    private volatile int attempt = 1;
    private volatile @Nullable AgentToolRuntime runtime;

    private FakeToolContext(Path workdir, boolean ownsWorkdir) {
        this.workdir = workdir;
        this.ownsWorkdir = ownsWorkdir;
    }

    /// A context with a new temporary workdir, which [#close] deletes, and 30 s until its deadline.
    public static FakeToolContext create() {
        try {
            return new FakeToolContext(Files.createTempDirectory("toolfleet-workdir-"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a context whose workdir is a folder of the test.
    public static FakeToolContext in(Path workdir) {
        return new FakeToolContext(workdir, false);
    }

    /// Sets the conversation of the call.
    public FakeToolContext instanceKey(String key) {
        this.instanceKey = key;
        return this;
    }

    /// Sets the model's id of the call; the idempotency key is derived from it.
    public FakeToolContext toolCallId(String id) {
        this.toolCallId = id;
        return this;
    }

    /// Sets the assistant message.
    public FakeToolContext message(JsonNode assistantMessage) {
        this.message = assistantMessage;
        return this;
    }

    /// Sets the person for whom the agent acts.
    public FakeToolContext caller(@Nullable String userId, @Nullable String channelId) {
        this.caller = new Caller(userId, channelId);
        return this;
    }

    /// Sets the deadline of the handler. Only a [HandlerRun] interrupts it then.
    public FakeToolContext deadline(Instant instant) {
        this.deadline = instant;
        return this;
    }

    /// Sets the deadline, counted from now.
    public FakeToolContext deadlineIn(Duration time) {
        return deadline(Instant.now().plus(time));
    }

    /// Sets the number of this start of the call.
    public FakeToolContext attempt(int number) {
        this.attempt = number;
        return this;
    }

    /// Sets the way to other agents, such as a [FakeAgentRuntime]; without it there are none.
    public FakeToolContext runtime(AgentToolRuntime agents) {
        this.runtime = agents;
        return this;
    }

    /// Makes [#cancelled] true from now on. To interrupt the handler as well, use [HandlerRun#interrupt].
    public FakeToolContext cancel() {
        this.cancelled = true;
        return this;
    }

    /// Returns the handler's log lines so far.
    public List<LogLine> logLines() {
        return logger.lines();
    }

    @Override
    public String agentName() {
        return "agent-1";
    }

    @Override
    public String instanceKey() {
        return instanceKey;
    }

    @Override
    public String turnId() {
        return "turn-1";
    }

    @Override
    public String stepId() {
        return "step-1";
    }

    @Override
    public String traceId() {
        return "trace-1";
    }

    @Override
    public String toolCallId() {
        return toolCallId;
    }

    @Override
    public JsonNode message() {
        JsonNode set = message;
        return set != null ? set : Json.MAPPER.createObjectNode().put("role", "assistant");
    }

    @Override
    public Path workdir() {
        return workdir;
    }

    @Override
    public Logger logger() {
        return logger;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public Instant deadline() {
        return deadline;
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public Optional<AgentToolRuntime> runtime() {
        return Optional.ofNullable(runtime);
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public String idempotencyKey() {
        return instanceKey + "/" + toolCallId;
    }

    @Override
    public long fencingToken() {
        return attempt;
    }

    /// Returns predictable handles: `handle-1`, `handle-2`, …
    @Override
    public String newHandle() {
        return "handle-" + handles.incrementAndGet();
    }

    @Override
    public void progress(@Nullable Double percent, @Nullable String text) {
        if (percent != null && !(percent >= 0 && percent <= 100))
            throw new IllegalArgumentException("percent is " + percent + "; it goes from 0 to 100");
        progress.add(new Progress(percent, text));
    }

    /// Returns the handler's progress reports so far.
    public List<Progress> progressed() {
        return List.copyOf(progress);
    }

    @Override
    public void close() {
        if (ownsWorkdir)
            Folders.delete(workdir);
    }
}
