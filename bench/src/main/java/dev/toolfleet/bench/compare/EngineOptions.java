package dev.toolfleet.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Setup of the engines of a run.
///
/// @param jvm flags of each engine's JVM behind those that all have
/// @param settings of the workers
/// @param concurrency of engines that ask for it; 0 for one that fits the load
public record EngineOptions(List<String> jvm, Map<String, String> settings, int concurrency) {
    private static final List<String> FLAGS = List.of("-Xmx512m", "-Dlogback.configurationFile=bench-logback.xml");
    private static final String COLLECTOR = "-XX:+UseG1GC";
    private static final Pattern CHOOSES_COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");
    /// The library's own default; more threads than processors only get in each other's way.
    private static final int FEWEST_THREADS = 16;
    private static final int MOST_THREADS = 1_000;

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public EngineOptions {
        jvm = List.copyOf(jvm);
        settings = Map.copyOf(settings);
        for (String flag : jvm) {
            if (!flag.startsWith("-"))
                throw new IllegalArgumentException("'" + flag + "' is no flag of a JVM: it does not begin with '-'");
        }
        if (concurrency < 0 || concurrency > 20_000)
            throw new IllegalArgumentException("concurrency is " + concurrency + "; it must be 1 to 20000");
    }

    List<String> flags() {
        List<String> flags = new ArrayList<>(FLAGS);
        if (jvm.stream().noneMatch(flag -> CHOOSES_COLLECTOR.matcher(flag).matches()))
            flags.add(COLLECTOR);
        flags.addAll(jvm);
        return flags;
    }

    /// Number of calls that an engine with threads of its own works on at a time: as many as order allows, also without
    /// work, since each of its threads waits until its result was sent.
    int concurrencyFor(CallLoad load) {
        if (concurrency > 0)
            return concurrency;
        return Math.min(MOST_THREADS, Math.max(FEWEST_THREADS, load.keys().keys()));
    }
}
