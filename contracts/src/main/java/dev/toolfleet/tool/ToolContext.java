package dev.toolfleet.tool;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;

/// What a handler may know about its call. Small on purpose: no secrets, no OAuth, no bundles. Valid while the handler
/// runs; usable from threads that the handler starts and joins.
public interface ToolContext {
    /// The agent whose model called; null when the call named none.
    @Nullable
    String agentName();

    /// The conversation.
    String instanceKey();

    /// The turn, if the call named one.
    @Nullable
    String turnId();

    /// The step, if the call named one.
    @Nullable
    String stepId();

    /// For correlation.
    @Nullable
    String traceId();

    /// The model's id of this call.
    String toolCallId();

    /// The assistant message that holds this call; when the caller sent none, one that holds just this call.
    JsonNode message();

    /// The instance's own folder. Exists; files in it stay until the instance was idle for `workspace.retention`.
    Path workdir();

    /// Logs with the call's ids.
    Logger logger();

    /// For whom the agent acts.
    Caller caller();

    /// When the handler is interrupted. A tool's own timers should end before.
    Instant deadline();

    /// Whether the handler was interrupted or cancelled and should end.
    boolean cancelled();

    /// Which start of this call this is, from 1.
    int attempt();

    /// The same for every start of this call and for no other call: pass it to systems that take idempotency keys.
    String idempotencyKey();

    /// Grows with every call of the instance and with every take-over by another worker: a system that remembers the
    /// highest one may refuse what comes late with a lower one.
    long fencingToken();

    /// An unguessable handle for [ToolOutput#pending].
    String newHandle();

    /// Says how far the call is, on `tool.progress`. Costs nothing to call often: at most one event a second is written,
    /// the newest. What was said when the handler ends may not be written any more, since its result says it all.
    ///
    /// @param percent from 0 to 100; null when nobody knows
    /// @param message for people; null for none; what is longer than 1,000 characters is cut
    /// @throws IllegalArgumentException when the percentage is not from 0 to 100
    void progress(@Nullable Double percent, @Nullable String message);

    /// How the handler speaks to other agents; empty where there are none, as in a fleet of one process without Kafka.
    default Optional<AgentToolRuntime> runtime() {
        return Optional.empty();
    }

    /// The person for whom an agent acts, and where.
    ///
    /// @param userId the person
    /// @param channelId where the person is
    record Caller(@Nullable String userId, @Nullable String channelId) {}
}
