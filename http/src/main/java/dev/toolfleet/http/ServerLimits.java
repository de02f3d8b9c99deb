package dev.toolfleet.http;

import java.time.Duration;

/// Limits of a server against its clients.
///
/// @param connections at a time; others wait until one is closed, and each takes a file descriptor
/// @param headersWithin the longest time for a request's line and headers
/// @param idle the longest silence of a client that sends a body, or that does not take its answer; a request that
///        waits for the service is not idle
public record ServerLimits(int connections, Duration headersWithin, Duration idle) {
    /// The limits of services whose requests are answered at once.
    public static final ServerLimits DEFAULT = new ServerLimits(256, Duration.ofSeconds(10), Duration.ofSeconds(30));

    /// Checks that each is positive.
    ///
    /// @throws IllegalArgumentException naming the limit and its value
    public ServerLimits {
        if (connections < 1 || headersWithin.toMillis() < 1 || idle.toMillis() < 1)
            throw new IllegalArgumentException("limits of a server must be positive, got " + connections
                    + " connections, " + headersWithin + " for headers, and " + idle + " of silence");
    }

    /// Returns the same limits with another number of connections.
    public ServerLimits withConnections(int most) {
        return new ServerLimits(most, headersWithin, idle);
    }

    /// Returns the same limits with another time of silence.
    public ServerLimits withIdle(Duration longest) {
        return new ServerLimits(connections, headersWithin, longest);
    }
}
