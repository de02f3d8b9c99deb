package dev.toolfleet.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.toolfleet.client.turn.ModelAnswer;
import dev.toolfleet.client.turn.ModelCall;
import dev.toolfleet.client.turn.ModelTurn;

import static java.util.Objects.requireNonNullElse;

/// Turn of the fleet in one invocation of an AI service. Thread-safe.
final class ServiceTurn {
    private final ModelTurn turn;
    /// The catalog's names of all tools that a step of this turn has shown, by the names that the model knows.
    private final Map<String, String> offered = new ConcurrentHashMap<>();
    private volatile Set<String> shown = Set.of();

    ServiceTurn(ModelTurn turn) {
        this.turn = turn;
    }

    /// Begins the next step and returns its tools.
    ToolProviderResult nextStep() {
        List<StepTool> tools = StepTool.of(turn.nextStep().tools());
        ToolProviderResult.Builder result = ToolProviderResult.builder();
        for (StepTool tool : tools) {
            offered.put(tool.specification().name(), tool.catalogName());
            result.add(tool.specification(), new Executor());
        }
        shown = Set.copyOf(tools.stream().map(tool -> tool.specification().name()).toList());
        return result.build();
    }

    /// True for a tool of an earlier step that the present one does not show. LangChain4j keeps it until the invocation
    /// ends.
    boolean isGone(ToolSpecification tool) {
        return offered.containsKey(tool.name()) && !shown.contains(tool.name());
    }

    /// Notes the calls of one assistant message that are the fleet's.
    void announce(List<ToolExecutionRequest> requests) {
        turn.announce(
                requests.stream().filter(request -> offered.containsKey(request.name())).map(this::call).toList());
    }

    void end() {
        turn.end();
    }

    private ModelCall call(ToolExecutionRequest request) {
        return new ModelCall(requireNonNullElse(request.id(), ""),
                offered.getOrDefault(request.name(), request.name()), requireNonNullElse(request.arguments(), ""));
    }

    /// Calls the tool in the step that is open then: LangChain4j keeps the executor of the first step for all of them.
    private final class Executor implements ToolExecutor {
        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return answer(request).text();
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            ModelAnswer answer = answer(request);
            return ToolExecutionResult.builder().isError(answer.error()).resultText(answer.text()).build();
        }

        private ModelAnswer answer(ToolExecutionRequest request) {
            return turn.answer(call(request));
        }
    }
}
