package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.toolfleet.cli.backtest.Backtest;
import dev.toolfleet.cli.backtest.BacktestQuery;
import dev.toolfleet.cli.backtest.Finding;
import dev.toolfleet.cli.policy.PolicyExplainer;
import dev.toolfleet.cli.policy.ToolSwitcher;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.PolicyCaller;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

@Command(name = "policy", header = "Shows what policy says and would say, and switches tools off for a while.", synopsisSubcommandLabel = "COMMAND", footer = {
        "",
        "Example:", "  toolfleet policy explain bash__exec --bundle . --agent coder",
        "  toolfleet policy backtest --bundle . --since 7d",
        "  toolfleet policy deny 'bash__*' --for 1h --reason \"Incident 7\""})
final class PolicyCommand extends CommandGroup {
    private static final Duration BACKTESTED = Duration.ofDays(7);
    private static final int MOST_EXAMPLES = 1_000;

    PolicyCommand(CommandContext context) {
        super(context, "what about the policy? There is: toolfleet policy explain TOOL,"
                + " toolfleet policy backtest, toolfleet policy deny GLOB, toolfleet policy lift GLOB, toolfleet policy"
                + " denials");
    }

    /// `policy explain`; decides nothing and changes nothing.
    @Command(name = "explain", header = "Explains what policy says about a call, stage by stage.", description = {"",
            "Prints the stages, the rule that speaks for each, the one that decides, and why."
                    + " With --bundle DIR it asks the bundle in that folder, else the bundles of the fleet."}, footer = {
                            "", "Examples:",
                            "  toolfleet policy explain bash__exec --bundle examples/hello",
                            "  toolfleet policy explain bank__transfer --args '{\"amount\": 5000}'",
                            "  toolfleet policy explain market__sell --user u1 --channel c7 --agent trader"
                                    + " --bootstrap broker:9092",
                            "",
                            "Exit codes: 0 whatever the verdict, 2 the tool does not exist or the bundle is invalid."})
    int explain(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "TOOL", description = "The tool's name, such as bash__exec.") String tool,
            @Option(names = "--user", paramLabel = "ID", description = "The call's userId.") @Nullable String user,
            @Option(names = "--channel", paramLabel = "ID", description = "The call's channelId.") @Nullable String channel,
            @Option(names = "--agent", paramLabel = "NAME", description = "Who calls (with --bundle, by default the Swarm's entryAgent, else the only Agent).") @Nullable String agent,
            @Option(names = "--args", paramLabel = "JSON", description = "The call's arguments, for rules with conditions on them.") @Nullable String args,
            @Option(names = "--bundle", paramLabel = "DIR", description = "Asks the bundle in this folder; needs no broker.") @Nullable Path bundle,
            @Option(names = "--json", description = "Prints {verdict, stage, rule, reason, why, stages: [...], conditions: [...], shadows: [...], policyDigest}.") boolean json) {
        if (bundle != null && fleet.namesBroker())
            throw Failure.invalid("--bundle needs no broker; leave out --bundle or --bootstrap");
        PolicyExplainer explaining = new PolicyExplainer(context().terminal(), json, InstantSource.system());
        PolicyCaller caller = new PolicyCaller(user, channel, agent);
        JsonNode arguments = args == null ? null : arguments(args);
        if (bundle != null)
            return explaining.folder(bundle, tool, caller, arguments);
        return explaining.fleet(fleet.open(context()), tool, caller, arguments);
    }

    private static JsonNode arguments(String json) {
        try {
            JsonNode read = Json.STRICT.readTree(json);
            if (read.isObject())
                return read;
        } catch (JacksonException e) {
            throw Failure.invalid("--args is no JSON: " + e.getOriginalMessage());
        }
        throw Failure.invalid("--args must be a JSON object, such as '{\"amount\": 5000}', and is: " + json);
    }

    /// `policy backtest`; reads only.
    @Command(name = "backtest", header = "Judges past calls again, with another bundle in the place of the fleet's.", description = {
            "",
            "Reads the calls of tool.call and their results, and judges each call twice: by the policy of all bundles that"
                    + " the fleet has applied now, and by the same with the bundle in a folder in the place of the bundle of"
                    + " that name. Prints the calls whose verdict changes, by tool and agent, with the newest ones as"
                    + " examples and what they had returned; and what rules in shadow of that bundle would do. It starts"
                    + " nothing, writes nothing, and needs no worker.",
            "",
            "Conditions are judged with the arguments that the model sent: middlewares may have changed them before the"
                    + " worker decided. A call's tool is the one that its agent has now under that name. Operators' denials"
                    + " of this moment count on both sides. Rules about labels are judged with those that earlier results have"
                    + " added to the instance, or that came from other instances; labels that were cleared count."}, footer = {
                            "", "Examples:",
                            "  toolfleet policy backtest --bundle . --bootstrap broker:9092",
                            "  toolfleet policy backtest --bundle . --since 30d --tool 'bash__*' --examples 10",
                            "  toolfleet policy backtest --bundle . --fail-on denied,asked --format markdown > report.md",
                            "",
                            "Exit codes: 0 nothing of --fail-on is there; 1 some of it is, or the topics cannot be read;"
                                    + " 2 usage, or the bundle is invalid."})
    int backtest(@Mixin FleetOptions fleet,
            @Option(names = "--bundle", required = true, paramLabel = "DIR", description = "The bundle to judge with.") Path bundle,
            @Option(names = "--name", paramLabel = "NAME", description = "Which bundle of the fleet it replaces, if it has no Package (default: the folder's name).") @Nullable String name,
            @Option(names = "--since", paramLabel = "TIME", converter = PastOption.class, description = "How long ago the first call may have been made, such as 7d, or an instant (default: 7d).") @Nullable Instant since,
            @Option(names = "--agent", paramLabel = "NAME", description = "Only calls of this agent.") @Nullable String agent,
            @Option(names = "--tool", paramLabel = "GLOB", description = "Only calls of such tools, such as bash__exec or 'bash__*'.") @Nullable String tool,
            @Option(names = "--format", paramLabel = "FORM", defaultValue = "table", description = "table, json or markdown (default: ${DEFAULT-VALUE}).") Backtest.Format format,
            @Option(names = "--examples", paramLabel = "N", defaultValue = "3", description = "How many calls of each change are shown (default: ${DEFAULT-VALUE}).") int examples,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many rows a table has (default: ${DEFAULT-VALUE}). JSON has all.") int limit,
            @Option(names = "--fail-on", paramLabel = "CHANGE", split = ",", description = "Ends with 1 when there are such changes: denied, asked, allowed, no-longer-asked.") @Nullable List<String> failOn) {
        if (examples < 0 || examples > MOST_EXAMPLES)
            throw Failure.invalid("--examples " + examples + " must be 0 to " + MOST_EXAMPLES);
        if (limit < 1)
            throw Failure.invalid("--limit " + limit + " shows nothing; it is at least 1");
        Instant from = since == null
                ? Instant.now().minus(BACKTESTED).truncatedTo(ChronoUnit.SECONDS)
                : since;
        return new Backtest(fleet.open(context())).run(bundle, name,
                new BacktestQuery(from, agent, ErrorsCommand.glob(tool), examples), format, limit, findings(failOn));
    }

    private static Set<Finding> findings(@Nullable List<String> texts) {
        Set<Finding> findings = EnumSet.noneOf(Finding.class);
        for (String text : texts == null ? List.<String>of() : texts)
            findings.add(Finding.change(text.strip()).orElseThrow(
                    () -> Failure.invalid("--fail-on '" + text + "' must be of " + Finding.form())));
        return findings;
    }

    /// `policy deny`.
    @Command(name = "deny", header = "Denies tools to everybody, until a time that you name.", description = {"",
            "The operator's switch. It beats every rule of every bundle, no apply touches it, and it ends by itself."
                    + " GLOB is a tool's name, or a pattern: * stands for any characters, '*' alone for every tool."
                    + " With a colon or a # it is an entry, and denies that code under whatever name."
                    + " The same GLOB again replaces what it said before.",
            "",
            "Catalogs leave the tools out from each agent's next step on; workers refuse calls of them at once, queued"
                    + " ones too. Calls that run already go on; toolfleet cancel ends those. What was switched, by whom and"
                    + " why stands on tool.audit."}, footer = {"", "Examples:",
                            "  toolfleet policy deny 'bash__*' --for 1h --reason \"Incident 7\"",
                            "  toolfleet policy deny builtin:bash --for 1h --reason \"Incident 7\"",
                            "  toolfleet policy deny market__sell --until 2026-11-21T20:00:00Z --reason \"Exchange closed\"",
                            "",
                            "Exit codes: 0 denied; 1 the broker did not let it; 2 the pattern or the time cannot be used."})
    int deny(@Mixin FleetOptions fleet,
            @Parameters(index = "0", paramLabel = "GLOB", description = "Which tools, such as bash__exec, 'bash__*' or builtin:bash.") String glob,
            @Option(names = "--for", paramLabel = "TIME", converter = DurationOption.class, description = "For how long, such as 30m or 1h; at most 30d.") @Nullable Duration period,
            @Option(names = "--until", paramLabel = "INSTANT", description = "Until when, instead of --for, such as 2026-11-21T20:00:00Z.") @Nullable Instant until,
            @Option(names = "--reason", required = true, paramLabel = "WHY", description = "Why, for the models that are refused, and the audit.") String reason,
            @Option(names = "--by", paramLabel = "WHO", description = "Who says so, for the audit (default: this system's user).") @Nullable String by) {
        return switching(fleet).deny(glob, period, until, reason(by, reason));
    }

    /// `policy lift`.
    @Command(name = "lift", header = "Ends what policy deny has switched off, before its time.", description = {"",
            "The rules of the bundles hold again, at once; nothing else is allowed by it."}, footer = {"", "Examples:",
                    "  toolfleet policy lift 'bash__*' --reason \"Incident 7 is over\"",
                    "  toolfleet policy lift --all",
                    "",
                    "Exit codes: 0 lifted; 1 the broker did not let it; 2 it is not switched off."})
    int lift(@Mixin FleetOptions fleet,
            @Parameters(paramLabel = "GLOB", arity = "0..*", description = "As it was given to policy deny.") @Nullable List<String> globs,
            @Option(names = "--all", description = "Everything that is switched off.") boolean all,
            @Option(names = "--reason", paramLabel = "WHY", description = "Why, for the audit.") @Nullable String reason,
            @Option(names = "--by", paramLabel = "WHO", description = "Who says so, for the audit (default: this system's user).") @Nullable String by) {
        List<String> named = globs == null ? List.of() : globs;
        if (named.isEmpty() != all)
            throw Failure.invalid("name what to lift as it was given to policy deny, or say --all, and not both");
        return switching(fleet).lift(named, reason(by, reason));
    }

    /// `policy denials`.
    @Command(name = "denials", header = "Lists what policy deny has switched off.", description = {"",
            "With what it hits, until when, by whom and why."}, footer = {"", "Examples:",
                    "  toolfleet policy denials --bootstrap broker:9092"})
    int denials(@Mixin FleetOptions fleet,
            @Option(names = "--json", description = "Prints [{tool, by, reason, since, until, hits: [...]}].") boolean json) {
        return switching(fleet).list(json);
    }

    private ToolSwitcher switching(FleetOptions fleet) {
        return new ToolSwitcher(fleet.open(context()));
    }

    private static ToolSwitcher.Reason reason(@Nullable String by, @Nullable String reason) {
        return new ToolSwitcher.Reason(
                Objects.requireNonNullElseGet(by, () -> System.getProperty("user.name", "unknown")), reason);
    }
}
