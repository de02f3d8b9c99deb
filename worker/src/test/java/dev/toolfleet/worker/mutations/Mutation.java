package dev.toolfleet.worker.mutations;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A bug as a textual change of one production class.
///
/// @param file below the worker's root package
/// @param from the text that is replaced; where it has white space the file may have any or none
/// @param tests unit tests, by simple name; the simulation is searched when they do not find the bug
record Mutation(String name, String file, String from, String to, List<String> tests) {
    Mutation {
        tests = List.copyOf(tests);
        if (name.isBlank() || file.isBlank() || from.isBlank())
            throw new IllegalArgumentException("mutation '" + name + "': it has no name, no 'file' or no 'from'");
    }

    /// The class with the bug.
    ///
    /// @throws IllegalArgumentException unless the text occurs exactly once
    String applied(String source) {
        Pattern text = Pattern.compile(Arrays.stream(from.trim().split("\\s+")).map(Pattern::quote)
                .collect(Collectors.joining("\\s*")));
        List<MatchResult> found = text.matcher(source).results().toList();
        if (found.size() != 1)
            throw new IllegalArgumentException("mutation '" + name + "': its text occurs " + found.size()
                    + " times in " + file + ": " + from + ". Adapt mutations.txt to the class.");
        MatchResult place = found.getFirst();
        return source.substring(0, place.start()) + to + source.substring(place.end());
    }

    /// The package and name of the changed class.
    String className() {
        return "dev.toolfleet.worker." + file.substring(0, file.length() - ".java".length()).replace('/', '.');
    }
}
