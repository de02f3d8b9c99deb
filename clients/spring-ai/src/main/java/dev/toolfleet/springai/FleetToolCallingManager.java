package dev.toolfleet.springai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.ModelAnswer;
import dev.toolfleet.error.ErrorCode;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;

/// Tool calling with the fleet's tools beside those of the application.
///
/// **Contract.** In a request that has passed [FleetAdvisor], each request to the model is a step of the fleet, and shows
/// the tools of that step. The fleet's calls of one assistant message are sent together, in their order, under the ids of
/// the model; the answers stand in the order of the calls. Failed, denied and pending calls are answered with text. Calls
/// of the application's own tools, and requests without the advisor, are the other manager's.
///
/// **Threads.** Thread-safe.
public final class FleetToolCallingManager implements ToolCallingManager {
    private final AgentTurns turns;
    private final ToolCallingManager others;

    /// Manages the fleet's tools and leaves all others to `others`.
    public FleetToolCallingManager(AgentTurns turns, ToolCallingManager others) {
        this.turns = turns;
        this.others = others;
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
        List<ToolDefinition> all = new ArrayList<>(others.resolveToolDefinitions(chatOptions));
        ChatTurn turn = ChatTurn.of(chatOptions);
        if (turn != null)
            all.addAll(turn.nextStep());
        return all;
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
        ToolCallingChatOptions options = prompt.getOptions() instanceof ToolCallingChatOptions calling ? calling : null;
        ChatTurn turn = ChatTurn.of(options);
        if (options == null || turn == null)
            return others.executeToolCalls(prompt, chatResponse);
        AssistantMessage message = chatResponse.getResults().stream().map(Generation::getOutput)
                .filter(AssistantMessage::hasToolCalls).findFirst()
                .orElseThrow(() -> new IllegalStateException("the model's response calls no tool"));
        List<String> own = options.getToolCallbacks() == null
                ? List.of()
                : options.getToolCallbacks().stream().map(tool -> tool.getToolDefinition().name()).toList();
        if (message.getToolCalls().stream().allMatch(call -> own.contains(call.name())))
            return withNews(turn, others.executeToolCalls(prompt, chatResponse));
        List<Message> history = new ArrayList<>(prompt.getInstructions());
        // Before the calls: nothing may stand between them and their results, and the results must be last. Taken before
        // the calls are made: news of one of them would stand before it.
        history.addAll(news(turn));
        List<ToolResponse> responses = responses(turn, own, message, prompt);
        history.add(message);
        history.add(ToolResponseMessage.builder().responses(responses).build());
        return ToolExecutionResult.builder().conversationHistory(history).build();
    }

    private List<Message> news(ChatTurn turn) {
        List<CallNews> news = turns.takeNews(turn.instanceKey());
        turn.shows(news);
        return news.stream().map(one -> (Message) new UserMessage(one.text())).toList();
    }

    /// Adds the news before the last assistant message, unless no model reads the result.
    private ToolExecutionResult withNews(ChatTurn turn, ToolExecutionResult result) {
        List<Message> history = new ArrayList<>(result.conversationHistory());
        int place = history.size() - 1;
        while (place >= 0 && !(history.get(place) instanceof AssistantMessage))
            place--;
        if (result.returnDirect() || place < 0)
            return result;
        history.addAll(place, news(turn));
        return ToolExecutionResult.builder().conversationHistory(history).build();
    }

    private List<ToolResponse> responses(ChatTurn turn, List<String> own, AssistantMessage message, Prompt prompt) {
        List<ToolCall> fleets = message.getToolCalls().stream()
                .filter(call -> !own.contains(call.name()) && turn.offers(call.name())).toList();
        List<ToolCall> locals = message.getToolCalls().stream().filter(call -> own.contains(call.name())).toList();
        Map<ToolCall, ToolResponse> known = new HashMap<>();
        List<ModelAnswer> answers = turn.answers(fleets);
        for (int i = 0; i < fleets.size(); i++)
            known.put(fleets.get(i), response(fleets.get(i), answers.get(i).text()));
        if (!locals.isEmpty()) {
            List<ToolResponse> given = locally(locals, prompt);
            for (int i = 0; i < locals.size(); i++)
                known.put(locals.get(i), given.get(i));
        }
        return message.getToolCalls().stream()
                .map(call -> known.computeIfAbsent(call, FleetToolCallingManager::unknown))
                .toList();
    }

    /// Runs the application's own calls of a message, as if they were all of it.
    private List<ToolResponse> locally(List<ToolCall> calls, Prompt prompt) {
        AssistantMessage part = AssistantMessage.builder().content("").toolCalls(calls).build();
        ToolExecutionResult result = others.executeToolCalls(prompt, new ChatResponse(List.of(new Generation(part))));
        if (result.conversationHistory().getLast() instanceof ToolResponseMessage responses)
            return responses.getResponses();
        throw new IllegalStateException("the application's tool calling manager, " + others.getClass().getName()
                + ", must end its conversation history with the tools' responses");
    }

    private static ToolResponse unknown(ToolCall call) {
        return response(call, ErrorCode.E_TOOL_NOT_IN_CATALOG + ": there is no tool " + call.name() + ". "
                + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion());
    }

    private static ToolResponse response(ToolCall call, String text) {
        return new ToolResponse(call.id(), call.name(), text);
    }
}
