package dev.toolfleet.bench.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Environment of a process whose wall clock is ahead, by libfaketime. Its monotonic clock is right, so its waits are.
public final class AheadClock {
    /// The lead of such a clock, in hours.
    public static final int HOURS = 1;

    private static final String LIBRARY = "libfaketimeMT.so.1";
    private static final List<String> FOLDERS = List.of("/usr/lib/x86_64-linux-gnu/faketime",
            "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib64/faketime", "/usr/lib/faketime",
            "/usr/local/lib/faketime");

    private AheadClock() {}

    private static Optional<Path> library() {
        return Stream.of(FOLDERS).flatMap(List::stream).map(folder -> Path.of(folder, LIBRARY)).filter(Files::exists)
                .findFirst();
    }

    /// Checks that the machine has what it takes.
    ///
    /// @throws IllegalStateException when it has no libfaketime
    public static void check() {
        environment();
    }

    static Map<String, String> environment() {
        Path library = library().orElseThrow(() -> new IllegalStateException("the fault 'clock' needs " + LIBRARY
                + ", which is in none of " + String.join(", ", FOLDERS)
                + "; install it (Debian and Ubuntu: apt-get install faketime), or leave 'clock' out of --faults"));
        return Map.of("LD_PRELOAD", library.toString(), "FAKETIME", "+" + HOURS + "h",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // On, it ends each wait of a JVM at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }
}
