package dev.toolfleet.tool;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;

/// Context of a call for its handler. Small on purpose: no secrets, no OAuth, no bundles.
///
/// **Contract.** Valid while the handler runs.
///
/// **Threads.** Usable from threads that the handler starts and joins.
public interface ToolContext extends CallInfo {
    /// Returns the assistant message that holds this call; when the caller sent none, one that holds just this call.
    JsonNode message();

    /// Returns the instance's own folder. It exists; files in it stay until the instance was idle for
    /// `workspace.retention`.
    Path workdir();

    /// Returns a logger that adds the call's ids.
    Logger logger();

    /// Returns the time at which the handler is interrupted. A tool's own timers should end before.
    Instant deadline();

    /// True if the handler was interrupted or cancelled and should end.
    boolean cancelled();

    /// Returns the number of this start of the call, from 1.
    int attempt();

    /// Returns a key that is the same for every start of this call and different for other calls: pass it to systems
    /// that take idempotency keys.
    String idempotencyKey();

    /// Returns a number that grows with every call of the instance and with every take-over by another worker. A system
    /// that keeps the highest one may reject a late request with a lower one.
    long fencingToken();

    /// Returns an unguessable handle for [ToolOutput#pending].
    String newHandle();

    /// Reports progress of the call, on `tool.progress`. Call it as often as you like: at most one event a second is
    /// written, the newest. The last report before the handler's end may not be written any more, since the result
    /// replaces it.
    ///
    /// @param percent from 0 to 100; null when unknown
    /// @param message for people; null for none; cut after 1,000 characters
    ///
    /// @throws IllegalArgumentException when the percentage is not from 0 to 100
    void progress(@Nullable Double percent, @Nullable String message);

    /// Returns the way to other agents; empty where there are none, as in a fleet of one process without Kafka.
    default Optional<AgentToolRuntime> runtime() {
        return Optional.empty();
    }

    /// Person for whom an agent acts, and the channel.
    ///
    /// @param userId the person
    /// @param channelId the channel of that person
    record Caller(@Nullable String userId, @Nullable String channelId) {}
}
