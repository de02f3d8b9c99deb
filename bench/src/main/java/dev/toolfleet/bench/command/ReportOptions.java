package dev.toolfleet.bench.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// Options with the destinations of findings beside the terminal.
final class ReportOptions {
    private static final List<String> NOT_THE_RUN = List.of("--report", "--csv", "--seconds");
    private static final List<String> NOR_THESE = List.of("-v", "--verbose");

    @Option(names = "--report", paramLabel = "FILE", description = "Writes the table there too, as Markdown. In a file that has a section of the same command, that section is replaced.")
    private @Nullable Path report;

    @Option(names = "--csv", paramLabel = "FILE", description = "Writes every single measurement there.")
    private @Nullable Path csv;

    ComparisonBench.Output output(@Nullable CommandSpec spec) {
        return new ComparisonBench.Output(command(spec), Optional.ofNullable(report), Optional.ofNullable(csv));
    }

    /// Command as it was typed, without the destinations.
    private static String command(@Nullable CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of("./toolfleet"));
        if (spec != null) {
            boolean skip = false;
            for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
                if (!skip && !NOR_THESE.contains(word) && NOT_THE_RUN.stream().noneMatch(word::startsWith))
                    words.add(word);
                skip = NOT_THE_RUN.contains(word);
            }
        }
        return String.join(" ", words);
    }
}
