package dev.toolfleet.cli.command;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The list of commands, in the order in which help shows them.
final class Subcommands {
    private static final List<String> NAMES = List.of(
            "demo", "dev", "run", "broker", "init", "validate", "test", "apply", "key", "host", "mcp", "mcp-stdio",
            "hosts", "policy", "call", "explain", "lane", "labels", "budget", "handles", "complete", "progress",
            "cancel", "approvals", "approve", "reject", "tail", "errors", "dlq", "audit", "worker", "catalog",
            "gateway", "session", "prompt", "session-service", "oauth", "topics", "config", "bench", "aot-cache");
    /// Those that start a broker of their own.
    private static final Set<String> WITH_BROKER = Set.of("demo", "dev", "run", "broker", "aot-cache");

    private Subcommands() {}

    /// Adds all commands.
    static void addTo(CommandLine root, CommandContext context) {
        NAMES.forEach(name -> add(name, root, context));
    }

    /// Adds the command that the first argument names, and all commands where it names none. Otherwise: each command
    /// line, and each start of a worker, waits until the options of all commands are known.
    static void addNeeded(CommandLine root, CommandContext context, String... arguments) {
        if (arguments.length > 0 && NAMES.contains(arguments[0]))
            add(arguments[0], root, context);
        else
            addTo(root, context);
    }

    private static void add(String name, CommandLine root, CommandContext context) {
        switch (name) {
            case "host" -> HostCommand.addTo(root, context);
            case "mcp" -> McpCommand.addTo(root, context);
            case "oauth" -> OAuthCommand.addTo(root, context);
            case "bench" -> BenchPlaceholder.addTo(root);
            default -> {
                if (EmbeddedBroker.isPresent() || !WITH_BROKER.contains(name))
                    root.addSubcommand(command(name, context));
                else
                    NeedsBrokerCommand.addTo(root, name);
            }
        }
    }

    private static Object command(String name, CommandContext context) {
        return switch (name) {
            case "demo" -> new DemoCommand(context);
            case "dev" -> new DevCommand(context);
            case "run" -> new RunCommand(context);
            case "broker" -> new BrokerCommand(context);
            case "aot-cache" -> new AotCacheCommand(context);
            case "worker" -> new WorkerCommand(context);
            case "catalog" -> new CatalogCommand(context);
            case "gateway" -> new GatewayCommand(context);
            case "session-service" -> new SessionServiceCommand(context);
            default -> ofPeople(name, context);
        };
    }

    private static Object ofPeople(String name, CommandContext context) {
        return switch (name) {
            case "init" -> new InitCommand(context);
            case "validate" -> new ValidateCommand(context);
            case "test" -> new TestCommand(context);
            case "apply" -> new ApplyCommand(context);
            case "key" -> new KeyCommand(context);
            case "mcp-stdio" -> new McpStdioCommand(context);
            case "hosts" -> new HostsCommand(context);
            case "policy" -> new PolicyCommand(context);
            case "call" -> new CallCommand(context);
            case "explain" -> new ExplainCommand(context);
            case "lane" -> new LaneCommand(context);
            case "labels" -> new LabelsCommand(context);
            case "budget" -> new BudgetCommand(context);
            case "handles" -> new HandlesCommand(context);
            case "complete" -> new CompleteCommand(context);
            case "progress" -> new ProgressCommand(context);
            case "cancel" -> new CancelCommand(context);
            case "approvals" -> new ApprovalsCommand(context);
            case "approve" -> new ApproveCommand(context);
            case "reject" -> new RejectCommand(context);
            case "tail" -> new TailCommand(context);
            case "errors" -> new ErrorsCommand(context);
            case "dlq" -> new DlqCommand(context);
            case "audit" -> new AuditCommand(context);
            case "session" -> new SessionCommand(context);
            case "prompt" -> new PromptCommand(context);
            case "topics" -> new TopicsCommand(context);
            case "config" -> new ConfigCommand(context);
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    /// In the place of a command that starts a broker of its own, where there is none.
    @Command(hidden = true)
    static final class NeedsBrokerCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        /// Puts it under this name, with whatever arguments.
        static void addTo(CommandLine root, String name) {
            root.addSubcommand(name, new CommandLine(new NeedsBrokerCommand()).setUnmatchedArgumentsAllowed(true));
        }

        @Override
        public Integer call() {
            throw Failure.invalid((spec == null ? "this" : spec.qualifiedName())
                    + " starts a broker of its own, and this installation has none; use the executable jar toolfleet.jar");
        }
    }
}
