package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.toolfleet.bench.verdict.TakeOverTime;

/// Reader of the workers' logs: their take-overs, each from the assignment of a partition until its calls are read.
public final class TakeOverTimes {
    private static final Pattern LINE = Pattern
            .compile("(worker started)|(worker is ready)|partition taken over .*\\bms=\"(\\d+)\"");

    private TakeOverTimes() {}

    /// Those of all workers of a run, in no particular order.
    public static List<TakeOverTime> read(RunFolder folder) throws IOException {
        List<TakeOverTime> times = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.logs())) {
            for (Path file : files.toList())
                times.addAll(parse(Files.readString(file, StandardCharsets.UTF_8)));
        }
        return times;
    }

    /// Processes of one name follow each other in a log.
    static List<TakeOverTime> parse(String log) {
        List<TakeOverTime> times = new ArrayList<>();
        boolean ready = false;
        for (MatchResult line : LINE.matcher(log).results().toList()) {
            if (line.group(3) != null)
                times.add(new TakeOverTime(Duration.ofMillis(Long.parseLong(line.group(3))), ready));
            else
                ready = line.group(2) != null;
        }
        return times;
    }
}
