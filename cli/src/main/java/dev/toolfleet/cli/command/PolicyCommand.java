package dev.toolfleet.cli.command;

import java.nio.file.Path;

import dev.toolfleet.cli.policy.Explaining;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.policy.PolicyCaller;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "policy", header = "Shows what policy says.", synopsisSubcommandLabel = "COMMAND", footer = {"",
        "Example:", "  toolfleet policy explain bash__exec --bundle . --agent coder"})
final class PolicyCommand implements Runnable {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    PolicyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public void run() {
        CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new ParameterException(line, "what about the policy? There is: toolfleet policy explain TOOL");
    }

    /// `policy explain`; decides nothing and changes nothing.
    @Command(name = "explain", header = "Explains what policy says about a call, stage by stage.", description = {"",
            "Prints the nine stages, the rule that speaks for each, the one that decides, and why."
                    + " With --bundle DIR it asks the bundle in that folder, else the bundles of the fleet."}, footer = {
                            "", "Examples:",
                            "  toolfleet policy explain bash__exec --bundle examples/hello",
                            "  toolfleet policy explain market__sell --user u1 --channel c7 --agent trader"
                                    + " --bootstrap broker:9092",
                            "",
                            "Exit codes: 0 whatever the verdict, 2 the tool does not exist or the bundle is invalid."})
    int explain(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "TOOL", description = "The tool's name, such as bash__exec.") String tool,
            @Option(names = "--user", paramLabel = "ID", description = "The call's userId.") @Nullable String user,
            @Option(names = "--channel", paramLabel = "ID", description = "The call's channelId.") @Nullable String channel,
            @Option(names = "--agent", paramLabel = "NAME", description = "Who calls (with --bundle, by default the Swarm's entryAgent, else the only Agent).") @Nullable String agent,
            @Option(names = "--bundle", paramLabel = "DIR", description = "Asks the bundle in this folder; needs no broker.") @Nullable Path bundle,
            @Option(names = "--json", description = "Prints {verdict, stage, rule, reason, why, stages: [...], policyDigest}.") boolean json) {
        if (bundle != null && fleet.namesBroker())
            throw Failure.invalid("--bundle needs no broker; leave out --bundle or --bootstrap");
        Explaining explaining = new Explaining(context.terminal(), json);
        PolicyCaller caller = new PolicyCaller(user, channel, agent);
        if (bundle != null)
            return explaining.folder(bundle, tool, caller);
        return explaining.fleet(fleet.load(context.environment()), tool, caller);
    }
}
