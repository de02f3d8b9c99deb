package dev.toolfleet.cli.call;

import java.util.List;

import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

/// One call against a running fleet: a step of its own, so that it sees the catalog of this moment.
public final class RemoteCall {
    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Calls this fleet.
    public RemoteCall(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Calls, and prints every result as JSON.
    ///
    /// @return 0 when the final result is ok, 1 when it is an error
    public int call(OneCall one) throws InterruptedException {
        try (ToolFleetClient client = ToolFleetClient.open(fleet.client())) {
            ToolCall call = one.inStepOf(one.agent().orElseGet(this::defaultAgent));
            String turn = String.valueOf(call.turnId());
            String step = String.valueOf(call.stepId());
            String agent = String.valueOf(call.agentName());
            RemoteFleet
                    .get(client.beginStep(new StepStarted(one.instanceKey(), agent, turn, step, 1, null, null, null)));
            CallHandle handle = client.call(call, CallOptions.within(one.timeout()));
            handle.onPending(pending -> terminal.note(Json.MAPPER.writeValueAsString(pending)));
            ToolResult result = RemoteFleet.get(handle.result());
            RemoteFleet.get(client.endStep(new StepEnded(one.instanceKey(), agent, turn, step, 1)));
            terminal.print(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result));
            return result.status() == ResultStatus.OK ? Failure.SUCCESS : Failure.FAILED;
        }
    }

    private String defaultAgent() {
        FleetResources resources = new ResourceReader(fleet.name(Topic.RESOURCE),
                fleet.kafka()).read().view();
        List<String> agents = resources.bundles().values().stream()
                .flatMap(bundle -> bundle.agents().keySet().stream())
                .filter(agent -> !agent.startsWith(ContextPolicySpec.AGENT)).distinct().toList();
        List<String> entries = resources.bundles().values().stream()
                .flatMap(bundle -> bundle.ofKind(Kinds.SWARM).stream())
                .map(swarm -> SwarmSpec.of(swarm.resource()).entryAgent().name()).toList();
        return switch (DefaultAgent.of(null, entries, agents)) {
            case DefaultAgent.Named named -> named.name();
            case DefaultAgent.Unknown _ -> throw Failure.invalid(agents.isEmpty()
                    ? "no bundle with an Agent is applied to this fleet; apply one, or name an agent with --agent"
                    : "the fleet has several agents; choose one with --agent: " + String.join(", ", agents));
        };
    }
}
