package dev.toolfleet.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.terminal.CapturedOutput;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/// Check that a line is one that the command line takes. It runs nothing.
public final class ParsedLine {
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\\\\.|[^\\s'\\\\])+");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\\\\(.)");

    private ParsedLine() {}

    @Command(name = "toolfleet")
    private static final class Root {}

    /// Returns the reason why the line is refused; empty if it is taken.
    public static Optional<String> problem(String line) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(line); word.find();)
            words.add(QUOTED.matcher(word.group()).replaceAll(
                    quoted -> Matcher.quoteReplacement(quoted.group(quoted.group(1) == null ? 2 : 1))));
        CommandLine root = new CommandLine(new Root());
        Subcommands.addTo(root, new CommandContext(new CapturedOutput().terminal(100), Map.of()));
        root.setCaseInsensitiveEnumValuesAllowed(true);
        try {
            root.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
            return Optional.empty();
        } catch (ParameterException e) {
            return Optional.of(line + ": " + e.getMessage());
        }
    }
}
