package dev.toolfleet.mcp.server;

import java.time.Duration;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.rpc.RpcLimits;

/// Settings of a server.
///
/// @param info name and version of the program
/// @param limits limits of requests
/// @param reportsToolChanges true if it reports changes of its list of tools
/// @param hasTasks true if calls may become tasks
/// @param patience the time in which an answer is sent as JSON; later ones begin a stream of events
/// @param beat the longest silence of a stream: a client that has gone is noticed at the second beat
/// @param tick the longest silence about the progress of a call whose client wants progress
/// @param maxListeners the largest number of streams that only listen
public record ServerSettings(PeerInfo info, RpcLimits limits, boolean reportsToolChanges, boolean hasTasks,
        Duration patience, Duration beat, Duration tick, int maxListeners) {
    private static final RpcLimits REQUEST = new RpcLimits(4 * 1024 * 1024, 100);

    /// Settings with the defaults: 4 MB, changes and tasks, JSON for a second, a beat of 5 s, a tick of 20 s, 1,000
    /// listeners.
    public static ServerSettings of(PeerInfo info) {
        return new ServerSettings(info, REQUEST, true, true, Duration.ofSeconds(1), Duration.ofSeconds(5),
                Duration.ofSeconds(20), 1_000);
    }

    /// Returns the same settings with other times.
    public ServerSettings timed(Duration otherPatience, Duration otherBeat, Duration otherTick) {
        return new ServerSettings(info, limits, reportsToolChanges, hasTasks, otherPatience, otherBeat, otherTick,
                maxListeners);
    }

    /// Returns the same settings with other limits.
    public ServerSettings limited(RpcLimits otherLimits, int otherListeners) {
        return new ServerSettings(info, otherLimits, reportsToolChanges, hasTasks, patience, beat, tick,
                otherListeners);
    }

    /// Returns the same settings with other capabilities.
    public ServerSettings offering(boolean toolChanges, boolean tasks) {
        return new ServerSettings(info, limits, toolChanges, tasks, patience, beat, tick, maxListeners);
    }
}
