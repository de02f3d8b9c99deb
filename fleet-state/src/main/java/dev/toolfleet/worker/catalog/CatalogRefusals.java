package dev.toolfleet.worker.catalog;

import java.util.Optional;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.DeclarationState;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;

/// Refusals of calls whose tool is not in the catalog: each names the case and the model's options.
///
/// **Why.** A refusal is the same for a tool that only other agents have as for one that no bundle declares. Otherwise:
/// a model that guesses names learns which tools other teams have.
record CatalogRefusals(ToolRegistry registry) {
    private static final String OFFERED = "Call only tools that were offered to you in it.";

    CatalogVerdict because(ToolCall call, String why) {
        return by(call, null, why);
    }

    CatalogVerdict tooOld(ToolCall call, StepCatalog newest) {
        return because(call, "The call's step '" + call.stepId() + "' is too old: the agent is at step '"
                + newest.stepId() + "'. Call in the current step.");
    }

    CatalogVerdict unknownStep(ToolCall call, @Nullable StepCatalog newest) {
        String none = "No catalog was published for step '" + call.stepId() + "' of agent '" + call.agentName() + "'";
        return because(call, newest == null
                ? none + ". The agent runtime must announce a step before it calls in it."
                : none + " (its newest is of step '" + newest.stepId()
                        + "'). The step was not announced, or is too old.");
    }

    /// Refuses a tool that is not in the content of its step, or not in its agent's list.
    ///
    /// @param judge the step's; null if the agent's list decided
    CatalogVerdict hidden(ToolCall call, @Nullable Judge judge) {
        return by(call, judge, whyHidden(call, judge));
    }

    private String whyHidden(ToolCall call, @Nullable Judge judge) {
        String agent = call.agentName();
        CatalogTool listed = agent == null ? null : registry.listedBy(agent, call.name());
        if (listed == null) {
            if (agent != null && AgentTools.items(registry.resources(), agent).stream()
                    .anyMatch(item -> item.name().equals(call.name())))
                return "The agent has the tool, but its ToolGroup says `never`. "
                        + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion();
            Optional<DeclaredTool> notRunnable = agent == null
                    ? Optional.empty()
                    : AgentTools.notRunnable(registry.resources(), agent, call.name());
            if (notRunnable.isPresent())
                return "The agent lists the tool, but nothing here runs its entry '"
                        + notRunnable.get().spec().entry() + "'. " + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion();
            return "The Agent's spec.tools list no tool of that name. "
                    + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion();
        }
        if (registry.standing(listed.item().tool()) == DeclarationState.LAPSED)
            return lapsed(listed.item());
        String by = judge != null && judge.policyDigest() != null ? "a policy or a middleware" : "a middleware";
        return isConfig(listed.item())
                ? "The agent has the tool, but it is hidden in this step, for example by " + by + ". " + OFFERED
                : "The tool is hidden in this step, for example by " + by
                        + ", or was registered after the step began. " + OFFERED;
    }

    /// Refuses a registered tool that the step showed and that is not declared now.
    CatalogVerdict unregistered(ToolCall call, ToolCatalogItem item, @Nullable Judge judge) {
        return by(call, judge, registry.standing(item.tool()) == DeclarationState.LAPSED
                ? lapsed(item)
                : "Its registration by " + source(item) + " has lapsed or was taken back since this step began. "
                        + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion());
    }

    /// Refuses a call of a step whose declarations this worker has not read.
    static CatalogVerdict notLoaded(ToolCall call, String bundle, long revision, long loaded, Judge judge) {
        return new CatalogVerdict.Refused(ToolError.of(ErrorCode.E_TOOL_NOT_FOUND,
                "The step's catalog is of revision " + revision + " of bundle '" + bundle
                        + "', and this worker has read revision " + loaded + " only; '" + call.name()
                        + "' was not started.")
                .suggesting("The call had no effect. Call again; if that fails too, tell the user."), judge.digest(),
                judge.policyDigest());
    }

    private static String lapsed(ToolCatalogItem item) {
        return "Its registration has lapsed: no live worker has renewed what " + source(item)
                + " offers. Use another tool or tell the user.";
    }

    private static String source(ToolCatalogItem item) {
        return item.source().type() + " '" + item.source().name() + "'";
    }

    static boolean isConfig(ToolCatalogItem item) {
        return item.source().type().equals(ToolSource.CONFIG);
    }

    private static CatalogVerdict by(ToolCall call, @Nullable Judge judge, String why) {
        return new CatalogVerdict.Refused(ToolError
                .of(ErrorCode.E_TOOL_NOT_IN_CATALOG,
                        "Tool '" + call.name() + "' is not available in the current Tool Catalog.")
                .suggesting(why), judge == null ? null : judge.digest(), judge == null ? null : judge.policyDigest());
    }

    /// Content and policy that decided.
    record Judge(String digest, @Nullable String policyDigest) {}
}
