package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reader of the workers' logs: the durations of their take-overs, each from the assignment of a partition until its calls
/// are read.
public final class TakeOverTimes {
    private static final Pattern LINE = Pattern.compile("partition taken over .*\\bms=\"(\\d+)\"");

    private TakeOverTimes() {}

    /// Those of all workers of a run, in no particular order.
    public static List<Duration> read(RunFolder folder) throws IOException {
        List<Duration> times = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.logs())) {
            for (Path file : files.toList())
                times.addAll(parse(Files.readString(file, StandardCharsets.UTF_8)));
        }
        return times;
    }

    static List<Duration> parse(String log) {
        return LINE.matcher(log).results().map(line -> Duration.ofMillis(Long.parseLong(line.group(1)))).toList();
    }
}
