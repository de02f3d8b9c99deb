package dev.toolfleet.cli.command;

import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.LogFormat;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.PlatformLogs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `toolfleet`: its subcommands, and what holds for all of them.
@Command(name = "toolfleet", scope = ScopeType.INHERIT, mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND", versionProvider = Version.class, header = "Runs the tools of AI agents as a fleet of Kafka workers.", description = {
        "",
        "Try it: toolfleet demo"}, footer = {"", "Exit codes: 0 success, 1 the work failed, 2 usage or invalid input.",
                "toolfleet COMMAND --help shows a command's options and examples."})
public final class ToolfleetCommand implements Runnable {
    private final CommandContext context;

    @Option(names = {"-v",
            "--verbose"}, scope = ScopeType.INHERIT, description = "Logs what happens, and shows stack traces.")
    private boolean verbose;

    @Option(names = "--log-format", paramLabel = "FORMAT", scope = ScopeType.INHERIT, description = "How logs on standard error look: plain, or json for one object a line (default: $TOOLFLEET_LOG_FORMAT, else plain).")
    private @Nullable LogFormat logFormat;

    @Option(names = "--classpath", paramLabel = "JARS", scope = ScopeType.INHERIT, split = "[:;]", description = "Adds jars or folders for entries like java:com.acme.Builds; several between colons.")
    private List<Path> classpath = new ArrayList<>();

    private ToolfleetCommand(CommandContext context) {
        this.context = context;
    }

    /// Runs a command line of the shipped jar.
    ///
    /// @return the exit code
    public static int run(CommandContext context, String... arguments) {
        return run(context, (root, own) -> Subcommands.addNeeded(root, own, arguments), arguments);
    }

    /// Runs a command line with other subcommands.
    ///
    /// @param subcommands adds them to the root
    /// @return the exit code
    public static int run(CommandContext context, BiConsumer<CommandLine, CommandContext> subcommands,
            String... arguments) {
        return new ToolfleetCommand(context).commandLine(subcommands).execute(arguments);
    }

    /// Without a subcommand.
    @Override
    public void run() {
        throw new ParameterException(new CommandLine(this), "a command is missing");
    }

    private CommandLine commandLine(BiConsumer<CommandLine, CommandContext> subcommands) {
        CommandLine line = new CommandLine(this);
        subcommands.accept(line, context);
        PrintWriter err = context.terminal().err();
        line.setOut(context.terminal().out()).setErr(err).setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.min(110, context.terminal().width()))
                .setColorScheme(CommandLine.Help.defaultColorScheme(context.terminal().colour()
                        ? CommandLine.Help.Ansi.ON
                        : CommandLine.Help.Ansi.OFF))
                .setExecutionStrategy(parsed -> {
                    prepare();
                    return new CommandLine.RunLast().execute(parsed);
                }).setExecutionExceptionHandler((thrown, command, parsed) -> failed(thrown))
                .setParameterExceptionHandler((thrown, arguments) -> misused(thrown));
        return line;
    }

    private void prepare() {
        LogFormat.of(logFormat, context.environment()).apply();
        PlatformLogs.join();
        (verbose ? Logs.VERBOSE : Logs.QUIET).apply();
        if (!classpath.isEmpty())
            Thread.currentThread().setContextClassLoader(new URLClassLoader("--classpath",
                    classpath.stream().map(ToolfleetCommand::url).toArray(URL[]::new),
                    Thread.currentThread().getContextClassLoader()));
    }

    private static URL url(Path jar) {
        if (!Files.isReadable(jar))
            throw Failure.invalid("--classpath " + jar + ": there is no such file or folder");
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("no address for " + jar, e);
        }
    }

    private int failed(Exception thrown) {
        Failures failure = Failures.of(thrown);
        context.terminal().out().flush();
        context.terminal().note("toolfleet: " + failure.message());
        if (verbose)
            thrown.printStackTrace(context.terminal().err());
        context.terminal().err().flush();
        return failure.exitCode();
    }

    private int misused(ParameterException thrown) {
        CommandLine command = thrown.getCommandLine();
        String message = String.valueOf(thrown.getMessage());
        context.terminal().note("toolfleet: " + message);
        UnmatchedArgumentException.printSuggestions(thrown, context.terminal().err());
        context.terminal().note("See " + command.getCommandSpec().qualifiedName() + " --help");
        return Failure.INVALID;
    }
}
