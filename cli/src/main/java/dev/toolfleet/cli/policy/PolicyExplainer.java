package dev.toolfleet.cli.policy;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyQuery;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Explains the decision of a policy about a call: that of a folder, or that of a fleet.
public final class PolicyExplainer {
    private final Terminal terminal;
    private final boolean json;
    private final InstantSource clock;

    /// @param json whether to print JSON
    /// @param clock for the switches of operators that hold now
    public PolicyExplainer(Terminal terminal, boolean json, InstantSource clock) {
        this.terminal = terminal;
        this.json = json;
        this.clock = clock;
    }

    /// By the bundle in a folder, beside the built-in one. A caller without an agent is the bundle's default agent.
    ///
    /// @param arguments of the call; null for what a catalog shows
    public int folder(Path folder, String tool, PolicyCaller caller, @Nullable JsonNode arguments) {
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
        String agent = switch (DefaultAgent.of(bundle, caller.agentName())) {
            case DefaultAgent.Named named -> named.name();
            case DefaultAgent.Unknown _ -> null;
        };
        ResourceTable table = new ResourceTable();
        for (LocalBundle each : List.of(BuiltInBundle.read(), bundle))
            RevisionPlan.of(each.name(), each.declared(), table).entries()
                    .forEach(entry -> table.apply(entry.key(), entry.value()));
        return explain(table.view(), tool, new PolicyCaller(caller.userId(), caller.channelId(), agent), arguments);
    }

    /// By the bundles that are applied to a fleet.
    ///
    /// @param arguments of the call; null for what a catalog shows
    public int fleet(RemoteFleet fleet, String tool, PolicyCaller caller, @Nullable JsonNode arguments) {
        fleet.check(Topic.RESOURCE);
        return explain(new ResourceReader(fleet.name(Topic.RESOURCE), fleet.kafka()).read().view(), tool, caller,
                arguments);
    }

    private int explain(FleetResources all, String tool, PolicyCaller caller, @Nullable JsonNode arguments) {
        Instant now = clock.instant();
        FleetResources resources = all.live(now);
        ToolFinder found = ToolFinder.of(resources, tool, caller.agentName());
        Explanation explained = Explanation.of(resources, new PolicyQuery(found.tool(), caller, arguments), now);
        note(resources, caller.agentName(), found);
        if (arguments == null && !explained.conditional().isEmpty())
            terminal.note(
                    "the answer to a call depends on its arguments; this one is about the catalog, which shows the"
                            + " tool unless every call of it is denied (--args '{\"NAME\": VALUE}')");
        if (json)
            terminal.print(ShownJson.pretty(ExplanationText.json(explained)));
        else
            terminal.print(ExplanationText.lines(explained, View.of(terminal, now)));
        return Failure.SUCCESS;
    }

    private void note(FleetResources resources, @Nullable String agent, ToolFinder found) {
        Optional.ofNullable(agent).filter(name -> resources.agent(name).isEmpty()).ifPresent(name -> terminal.note(
                "no bundle declares the agent " + name + ", so every bundle's denials and approvals hold for it"));
        if (agent == null)
            terminal.note("no agent is named, so every bundle's denials and approvals hold (--agent)");
        else if (!found.listed())
            terminal.note("the agent " + agent + " does not list this tool; its catalog refuses the call before policy"
                    + " is asked");
    }
}
