package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import dev.toolfleet.worker.identity.Digest128;

/// Digests of the courses of worlds, and a process that prints them: another JVM gives objects other identity hashes and
/// has another order of the elements of `Set.of` and `Map.of`.
final class TraceDigests {
    private static final String LINE = "DIGEST ";

    private TraceDigests() {}

    /// Prints the digests of some worlds.
    ///
    /// @param args the first seed and the number of worlds
    public static void main(String[] args) {
        SimulationTest.silence();
        of(Long.parseLong(args[0]), Integer.parseInt(args[1])).forEach(digest -> System.out.println(LINE + digest));
        // Fibers of a world that did not end may be left.
        System.exit(0);
    }

    /// Returns one text for each world: its seed and a digest of its trace, its violations, and the number of random draws.
    static List<String> of(long first, int count) {
        return LongStream.range(first, first + count).parallel().mapToObj(TraceDigests::of).toList();
    }

    private static String of(long seed) {
        Trace trace = new Trace(true);
        World world = new World(seed, Plant.NONE, trace);
        List<String> course = new ArrayList<>(world.run());
        course.addAll(trace.lines());
        // The same value only where both have drawn as often.
        course.add(String.valueOf(world.random.nextLong()));
        return seed + " " + Digest128.of(String.join("\n", course));
    }

    /// Reads the digests from what such a process printed.
    static List<String> read(List<String> output) {
        return output.stream().filter(line -> line.startsWith(LINE)).map(line -> line.substring(LINE.length()))
                .toList();
    }
}
