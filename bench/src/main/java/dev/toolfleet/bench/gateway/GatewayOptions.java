package dev.toolfleet.bench.gateway;

import java.time.Duration;

/// Options of a run.
///
/// @param rounds how often each measures; the table has the medians
/// @param measured how long each measures in a round
/// @param clients that call at a time where the capacity is measured
/// @param streams open streams of events
/// @param textBytes of each call's text argument, which the result repeats
public record GatewayOptions(int rounds, Duration measured, int clients, int streams, int textBytes) {
    static final int MOST_STREAMS = 12_000;

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public GatewayOptions {
        check("rounds", rounds, 1, 100);
        check("seconds", measured.toSeconds(), 1, 3_600);
        check("clients", clients, 1, 500);
        check("streams", streams, 1, MOST_STREAMS);
        check("bytes", textBytes, 0, 900_000);
    }

    private static void check(String name, long value, int least, int most) {
        if (value < least || value > most)
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + least + " to " + most);
    }
}
