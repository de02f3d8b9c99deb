package dev.toolfleet.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/// Output of a command: results go to `out`, everything else to `err`, both UTF-8. Thread-safe, line by line.
///
/// @param interactive whether `out` is a terminal
/// @param colour whether `out` takes ANSI colours: it is a terminal and `NO_COLOR` is not set
/// @param width columns of the terminal
public record Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colour, int width) {
    private static final int DEFAULT_WIDTH = 100;
    private static final int MIN_WIDTH = 60;

    /// The process's own.
    ///
    /// The launcher knows more than a JVM does, and sets `toolfleet.terminal` (whether standard output is one)
    /// and `toolfleet.columns`.
    public static Terminal system(Map<String, String> environment) {
        boolean terminal = isTerminal(System.getProperty("toolfleet.terminal"));
        String noColour = environment.getOrDefault("NO_COLOR", "");
        boolean dumb = "dumb".equals(environment.get("TERM"));
        String columns = System.getProperty("toolfleet.columns", environment.getOrDefault("COLUMNS", ""));
        return new Terminal(writer(FileDescriptor.out), writer(FileDescriptor.err), terminal,
                terminal && noColour.isEmpty() && !dumb, terminal ? width(columns) : DEFAULT_WIDTH);
    }

    /// Name by which the command was called, for lines to paste; the launcher sets it in `toolfleet.command`.
    public static String command() {
        return System.getProperty("toolfleet.command", "toolfleet");
    }

    /// Prints a result line.
    public void print(String line) {
        out.println(line);
        out.flush();
    }

    /// Prints result lines.
    public void print(Collection<String> lines) {
        lines.forEach(this::print);
    }

    /// Prints a line that is not a result.
    public void note(String line) {
        err.println(line);
        err.flush();
    }

    private static int width(String columns) {
        try {
            return Math.max(MIN_WIDTH, Integer.parseInt(columns.strip()));
        } catch (NumberFormatException e) {
            return DEFAULT_WIDTH;
        }
    }

    private static boolean isTerminal(@Nullable String launcherSays) {
        if (launcherSays != null)
            return Boolean.parseBoolean(launcherSays);
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
    }
}
