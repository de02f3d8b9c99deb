package dev.toolfleet.gateway.limits;

import java.time.Duration;

/// Limits of a gateway. Each replica counts for itself.
///
/// @param requestsPerSecond of a principal; as many may come at once after a second of silence
/// @param requests of a principal at a time, those that wait for a result included
/// @param streams open event streams of a principal
/// @param allRequests requests of all principals at a time
/// @param allStreams open event streams of all principals
/// @param connections of clients at a time, those without a request included
/// @param maxBody the largest body of a request in bytes
/// @param slowClient the longest silence of a client that sends a body, or that does not take its answer
public record LimitConfig(int requestsPerSecond, int requests, int streams, int allRequests, int allStreams,
        int connections, int maxBody, Duration slowClient) {
    /// The section of these settings.
    public static final String SECTION = "gateway.limits";
    /// The largest body by default: a record of the fleet holds no more.
    public static final int DEFAULT_MAX_BODY = 1024 * 1024;
    private static final int MAX = 1_000_000;
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /// The limits without settings.
    public static final LimitConfig DEFAULT = new LimitConfig(1000, 512, 512, 2048, 2048, 8192, DEFAULT_MAX_BODY,
            Duration.ofSeconds(30));

    /// Checks each value.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public LimitConfig {
        check("requestsPerSecond", requestsPerSecond, MAX);
        check("requests", requests, MAX);
        check("streams", streams, MAX);
        check("allRequests", allRequests, MAX);
        check("allStreams", allStreams, MAX);
        check("connections", connections, 2 * MAX);
        check("maxBody", maxBody, DEFAULT_MAX_BODY);
        if (connections < (long) allRequests + allStreams)
            throw new IllegalArgumentException(SECTION + ".connections " + connections + " is less than allRequests "
                    + allRequests + " and allStreams " + allStreams
                    + " together: clients would wait for a connection, and get no answer that says so");
        if (slowClient.toMillis() < 1 || slowClient.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException(SECTION + ".slowClient " + slowClient
                    + " is not allowed: more than nothing, at most 10 minutes");
    }

    private static void check(String key, int value, int most) {
        if (value < 1 || value > most)
            throw new IllegalArgumentException(
                    SECTION + "." + key + " " + value + " is not allowed: 1 to " + most);
    }
}
