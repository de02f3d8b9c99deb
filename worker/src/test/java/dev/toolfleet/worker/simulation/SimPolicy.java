package dev.toolfleet.worker.simulation;

import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.Stage;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.policy.BundlePolicyGate;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.CatalogTool;

import static java.util.Objects.requireNonNull;

/// The tools' declarations, and their change with the policy of the world: some calls that need approval are then
/// denied, some fall under another rule, and some run without approval.
record SimPolicy(World world) implements PolicyGate {
    private static final PolicyGate DECLARED = new BundlePolicyGate(SimTools.REGISTRY::resources,
            InstantSource.system());
    private static final Cause OTHER = new Cause(Stage.TOOL_POLICY, Verdict.REQUIRE_APPROVAL, "simulation/later/other",
            "A rule that came later.");

    @Override
    public Ruling rule(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
        requireNonNull(SimTools.RUNNING.get()).passes(SimCall.Death.POLICY);
        requireNonNull(SimTools.RUNNING.get()).ruledWith(labels);
        Ruling declared = DECLARED.rule(call, tool, labels);
        if (!(declared instanceof Ruling.Asked(var basis, var asking)))
            return declared;
        return switch (Change.of(world, call.args().path("n").asInt())) {
            case NONE -> declared;
            case DENIED -> new Ruling.Denied(basis, ToolError.of(ErrorCode.E_TOOL_DENIED, "no more"));
            case ANOTHER_RULE -> new Ruling.Asked(basis, List.of(OTHER, asking.getFirst()));
            case ALLOWED -> new Ruling.Allowed(basis);
        };
    }

    /// Change for a call by now.
    enum Change {
        NONE, DENIED, ANOTHER_RULE, ALLOWED;

        static Change of(World world, int argument) {
            if (world.fibers.now() < world.policyChangesAt)
                return NONE;
            return switch (argument % 10) {
                case 3 -> DENIED;
                case 4 -> ANOTHER_RULE;
                case 5 -> ALLOWED;
                default -> NONE;
            };
        }
    }
}
