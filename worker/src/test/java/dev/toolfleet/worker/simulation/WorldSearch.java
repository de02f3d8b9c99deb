package dev.toolfleet.worker.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/// Searches worlds for a violation of the promises.
public final class WorldSearch {
    private static final int BLOCK = 64;

    private record Found(long seed, String violation) {}

    private WorldSearch() {}

    /// Describes the first violation among the first worlds; null when there is none. Prints a line for each block of
    /// worlds without one.
    public static @Nullable String firstViolation(int worlds) {
        SimulationTest.silence();
        for (long from = 0; from < worlds; from += BLOCK) {
            var found = LongStream.range(from, Math.min(worlds, from + BLOCK)).parallel().boxed()
                    .flatMap(seed -> violations(seed).stream().limit(1).map(violation -> new Found(seed, violation)))
                    .min(Comparator.comparingLong(Found::seed));
            if (found.isPresent())
                return "seed " + found.get().seed() + ": " + shortened(found.get().violation());
            System.out.println("nothing in worlds " + from + " to " + (Math.min(worlds, from + BLOCK) - 1));
        }
        return null;
    }

    /// A world that breaks is a finding too.
    private static List<String> violations(long seed) {
        try {
            return new World(seed, Plant.NONE, new Trace(false)).run();
        } catch (RuntimeException | Error e) {
            return List.of(e.toString());
        }
    }

    private static String shortened(String violation) {
        String line = violation.lines().findFirst().orElse("");
        return line.length() > 80 ? line.substring(0, 80) + "…" : line;
    }
}
