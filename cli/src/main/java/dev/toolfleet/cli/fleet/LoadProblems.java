package dev.toolfleet.cli.fleet;

import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.cli.terminal.Failure;

/// Code that a worker or a catalog service could not load, as a message for a person.
public final class LoadProblems {
    private LoadProblems() {}

    /// Ends the command.
    ///
    /// @param problems reasons by `bundle/Tool`; at least one
    public static Failure failure(Map<String, String> problems) {
        return Failure.failed(problems.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(problem -> "\n  " + problem.getKey() + ": " + problem.getValue())
                .collect(Collectors.joining("", "the code of these tools and extensions cannot be loaded:",
                        "\nBuild what their entries name, or add it with --classpath JARS; --verbose shows more.")));
    }
}
