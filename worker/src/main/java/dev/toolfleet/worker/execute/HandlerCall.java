package dev.toolfleet.worker.execute;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Context of one start of a handler.
public final class HandlerCall implements ToolContext, RecordCallInfo {
    private static final Logger LOG = LoggerFactory.getLogger("dev.toolfleet.tool");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int HANDLE_BYTES = 18;

    private final ToolCall call;
    private final Origin origin;
    private final Limit limit;
    private final Workspace workspace;
    private final CallProgress progress;
    private final @Nullable AgentToolRuntime agents;
    private volatile MoveNote note = MoveNote.NONE;
    private volatile Runnable begun = () -> {};
    private volatile BooleanSupplier interrupted = () -> false;

    /// Origin of a call.
    ///
    /// @param calledAt the broker's append time, in epoch milliseconds
    /// @param order of the call in its lane, for the fencing token
    /// @param identity the call's identity, which is its idempotency key
    /// @param generation of the group, for the fencing token
    /// @param attempt the number of this start of the call, from 1
    public record Origin(Position position, long order, long calledAt, String identity, int generation,
            int attempt) {
        /// Creates the origin of a call whose offset is its order in its lane.
        public Origin(Position position, long calledAt, String identity, int generation, int attempt) {
            this(position, position.offset(), calledAt, identity, generation, attempt);
        }
    }

    /// Time limit of a handler.
    ///
    /// @param deadline the instant
    /// @param reason the source of the limit, for the error message
    public record Limit(Instant deadline, String reason) {}

    /// Creates a context for one start of a handler that has no agents.
    ///
    /// @param progress receives the handler's progress
    public HandlerCall(ToolCall call, Origin origin, Limit limit, Workspace workspace, CallProgress progress) {
        this(call, origin, limit, workspace, progress, null);
    }

    /// Creates a context for one start of a handler.
    ///
    /// @param progress receives the handler's progress
    /// @param agents gives access to agents; null where there are none
    public HandlerCall(ToolCall call, Origin origin, Limit limit, Workspace workspace, CallProgress progress,
            @Nullable AgentToolRuntime agents) {
        this.call = call;
        this.origin = origin;
        this.limit = limit;
        this.workspace = workspace;
        this.progress = progress;
        this.agents = agents;
    }

    /// Lets the handler run on when its partition moves. Must be called before the handler starts.
    public void movesBy(MoveNote by) {
        this.note = by;
    }

    /// Sets a listener for the handler's begin, which comes on the call's thread, once nothing can keep the handler from
    /// running. Must be called before the handler starts.
    public void whenBegun(Runnable listener) {
        this.begun = listener;
    }

    void begins() {
        begun.run();
    }

    MoveNote note() {
        return note;
    }

    void interruptedBy(BooleanSupplier state) {
        this.interrupted = state;
    }

    /// Notes that the call has its result: the handler's later messages are dropped.
    void ended() {
        note.ended();
        progress.end();
    }

    Position position() {
        return origin.position();
    }

    @Override
    public ToolCall call() {
        return call;
    }

    long calledAt() {
        return origin.calledAt();
    }

    String toolName() {
        return call.name();
    }

    String limit() {
        return limit.reason();
    }

    @Override
    public JsonNode message() {
        JsonNode sent = call.message();
        if (sent != null)
            return sent;
        ObjectNode made = JsonNodeFactory.instance.objectNode().put("id", call.id());
        made.putObject("data").put("role", "assistant").putArray("content").addObject().put("type", "tool-call")
                .put("toolCallId", call.id()).put("toolName", call.name()).set("input", call.args());
        made.putObject("metadata");
        made.put("createdAt", Instant.ofEpochMilli(origin.calledAt()).toString());
        made.putObject("source").put("type", "assistant").put("stepId", call.stepId());
        return made;
    }

    @Override
    public Path workdir() {
        return workspace.folder(call.agentName(), call.instanceKey());
    }

    @Override
    public Optional<AgentToolRuntime> runtime() {
        return Optional.ofNullable(agents);
    }

    @Override
    public Logger logger() {
        return LOG;
    }

    @Override
    public Instant deadline() {
        return limit.deadline();
    }

    @Override
    public boolean cancelled() {
        return interrupted.getAsBoolean();
    }

    @Override
    public int attempt() {
        return origin.attempt();
    }

    @Override
    public String idempotencyKey() {
        return origin.identity();
    }

    /// Returns the group's generation, followed by the order of the lane. A take-over raises the first, each call of
    /// the instance the second.
    @Override
    public long fencingToken() {
        return ((long) origin.generation() << 40) | origin.order();
    }

    @Override
    public void progress(@Nullable Double percent, @Nullable String text) {
        progress.report(percent, text);
    }

    @Override
    public String newHandle() {
        return unguessable();
    }

    /// Returns a handle that cannot be guessed.
    public static String unguessable() {
        byte[] bytes = new byte[HANDLE_BYTES];
        RANDOM.nextBytes(bytes);
        return "h_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
