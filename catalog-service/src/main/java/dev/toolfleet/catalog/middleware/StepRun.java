package dev.toolfleet.catalog.middleware;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.middleware.StepContext;
import dev.toolfleet.middleware.StepSkill;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.tool.ToolContext.Caller;
import dev.toolfleet.wire.StepStarted;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Step with its list of tools on the way through the layers. One thread at a time owns it: that of the running layer.
/// A layer that was left behind reads, and changes nothing ([LayerTurn]).
public final class StepRun {
    private final StepStarted step;
    private final StepOffer offer;
    private final StepFacts facts;
    private final StepFaults faults;
    /// Also read by layers that were left behind.
    private volatile List<StepTool> tools;

    /// Starts with the offer's list.
    public StepRun(StepStarted step, StepOffer offer, StepFacts facts, StepFaults faults) {
        this.step = step;
        this.offer = offer;
        this.facts = facts;
        this.faults = faults;
        this.tools = offer.shown();
    }

    List<StepTool> tools() {
        return tools;
    }

    void tools(List<StepTool> list) {
        tools = list;
    }

    void failed(StepLayer layer, Throwable problem) {
        String what = problem instanceof LeftBehindException ? problem.getMessage() : "it threw " + problem;
        faults.report(step.agentName(), layer.extension(), what + "; " + switch (layer.onFailure()) {
            case CLOSE -> "none of the tools that it was given are shown";
            case SKIP -> "the step goes on without it";
        });
    }

    StepContext seenBy(StepLayer layer, LayerTurn turn) {
        return new Seen(layer.extension(), turn);
    }

    /// Returns the wanted tools that may be shown, each once.
    private List<StepTool> allowed(List<StepTool> wanted, String extension) {
        List<StepTool> allowed = new ArrayList<>(wanted.size());
        Set<String> names = new HashSet<>();
        for (StepTool tool : wanted) {
            StepTool known = offer.named(tool.name());
            if (known == null || !known.isSameAs(tool))
                report(extension, tool,
                        "which is none of the agent's tools, or has another declaration, source, group or outputSchema");
            else if (!names.add(tool.name()))
                report(extension, tool, "which is in the list already");
            else
                allowed.add(tool);
        }
        return List.copyOf(allowed);
    }

    private void report(String extension, StepTool tool, String why) {
        faults.report(step.agentName(), extension, "it shows " + tool.name() + ", " + why + "; left out");
    }

    /// View of the step for one extension.
    private final class Seen implements StepContext {
        private final String extension;
        private final LayerTurn turn;

        Seen(String extension, LayerTurn turn) {
            this.extension = extension;
            this.turn = turn;
        }

        @Override
        public String agentName() {
            return step.agentName();
        }

        @Override
        public String instanceKey() {
            return step.instanceKey();
        }

        @Override
        public String turnId() {
            return step.turnId();
        }

        @Override
        public String stepId() {
            return step.stepId();
        }

        @Override
        public @Nullable Integer stepIndex() {
            return step.stepIndex();
        }

        @Override
        public Caller caller() {
            return new Caller(step.userId(), step.channelId());
        }

        @Override
        public ObjectNode hints() {
            ObjectNode hints = step.hints();
            return hints == null ? JsonNodeFactory.instance.objectNode() : hints.deepCopy();
        }

        @Override
        public List<String> requiredTools() {
            return offer.required();
        }

        @Override
        public Optional<JsonNode> remembered(String toolName) {
            return facts.of(extension, toolName);
        }

        @Override
        public List<StepSkill> skills() {
            return offer.skills();
        }

        @Override
        public List<StepTool> known() {
            return offer.known();
        }

        @Override
        public List<StepTool> tools() {
            return tools;
        }

        @Override
        public void tools(List<StepTool> wanted) {
            List<StepTool> found = allowed(wanted, extension);
            turn.forTheStep(() -> tools = found);
        }
    }
}
