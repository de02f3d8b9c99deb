package dev.toolfleet.cli.command;

import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The list of commands, in the order in which help shows them.
final class Subcommands {
    private Subcommands() {}

    static void addTo(CommandLine root, CommandContext context) {
        if (EmbeddedBroker.isPresent()) {
            root.addSubcommand(new DemoCommand(context));
            root.addSubcommand(new DevCommand(context));
            root.addSubcommand(new RunCommand(context));
            root.addSubcommand(new BrokerCommand(context));
        } else {
            List.of("demo", "dev", "run", "broker", "aot-cache")
                    .forEach(name -> NeedsBrokerCommand.addTo(root, name));
        }
        root.addSubcommand(new InitCommand(context));
        root.addSubcommand(new ValidateCommand(context));
        root.addSubcommand(new TestCommand(context));
        root.addSubcommand(new ApplyCommand(context));
        root.addSubcommand(new KeyCommand(context));
        HostCommand.addTo(root, context);
        McpCommand.addTo(root, context);
        root.addSubcommand(new McpStdioCommand(context));
        root.addSubcommand(new HostsCommand(context));
        root.addSubcommand(new PolicyCommand(context));
        root.addSubcommand(new CallCommand(context));
        root.addSubcommand(new ExplainCommand(context));
        root.addSubcommand(new LaneCommand(context));
        root.addSubcommand(new LabelsCommand(context));
        root.addSubcommand(new BudgetCommand(context));
        root.addSubcommand(new HandlesCommand(context));
        root.addSubcommand(new CompleteCommand(context));
        root.addSubcommand(new ProgressCommand(context));
        root.addSubcommand(new CancelCommand(context));
        root.addSubcommand(new ApprovalsCommand(context));
        root.addSubcommand(new ApproveCommand(context));
        root.addSubcommand(new RejectCommand(context));
        root.addSubcommand(new TailCommand(context));
        root.addSubcommand(new ErrorsCommand(context));
        root.addSubcommand(new DlqCommand(context));
        root.addSubcommand(new AuditCommand(context));
        root.addSubcommand(new WorkerCommand(context));
        root.addSubcommand(new CatalogCommand(context));
        root.addSubcommand(new GatewayCommand(context));
        root.addSubcommand(new SessionCommand(context));
        root.addSubcommand(new PromptCommand(context));
        root.addSubcommand(new SessionServiceCommand(context));
        OAuthCommand.addTo(root, context);
        root.addSubcommand(new TopicsCommand(context));
        root.addSubcommand(new ConfigCommand(context));
        BenchPlaceholder.addTo(root);
        if (EmbeddedBroker.isPresent()) {
            root.addSubcommand(new AotCacheCommand(context));
        }
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
