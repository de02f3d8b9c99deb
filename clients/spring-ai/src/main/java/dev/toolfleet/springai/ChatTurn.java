package dev.toolfleet.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.client.format.CatalogFormat.RenderedCatalog;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.ModelAnswer;
import dev.toolfleet.client.turn.ModelCall;
import dev.toolfleet.client.turn.ModelTurn;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.definition.DefaultToolDefinition;
import org.springframework.ai.tool.definition.ToolDefinition;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNullElse;

/// Turn of the fleet in one request of a chat client. It travels in the request's tool context. Thread-safe.
final class ChatTurn {
    /// Key in the tool context.
    static final String KEY = "toolfleet.turn";

    private final ModelTurn turn;
    /// The catalog's names of all tools that a step of this turn has shown, by the names that the model knows.
    private final Map<String, String> offered = new ConcurrentHashMap<>();

    /// The news in the prompts of this turn. Guarded by this.
    private final List<CallNews> shown = new ArrayList<>();

    ChatTurn(ModelTurn turn) {
        this.turn = turn;
    }

    /// Returns the turn of a request; null when it has none.
    static @Nullable ChatTurn of(@Nullable ToolCallingChatOptions options) {
        Map<String, Object> context = options == null ? null : options.getToolContext();
        return context == null ? null : (ChatTurn) context.get(KEY);
    }

    /// Begins the next step and returns its tools, with names and parameters that providers accept.
    List<ToolDefinition> nextStep() {
        RenderedCatalog rendered = CatalogFormat.OPENAI.render(turn.nextStep().tools());
        offered.putAll(rendered.names());
        return rendered.tools().valueStream().map(tool -> definition(tool.path("function"))).toList();
    }

    /// True if a step of this turn has shown the tool.
    boolean offers(String name) {
        return offered.containsKey(name);
    }

    /// Calls the fleet's tools, all of them before it waits, and returns the answers in the same order.
    List<ModelAnswer> answers(List<ToolCall> calls) {
        return turn.answers(calls.stream().map(call -> new ModelCall(requireNonNullElse(call.id(), ""),
                offered.getOrDefault(call.name(), call.name()), requireNonNullElse(call.arguments(), ""))).toList());
    }

    String instanceKey() {
        return turn.start().instanceKey();
    }

    /// Notes news that a request of this turn shows to the model.
    synchronized void shows(List<CallNews> news) {
        shown.addAll(news);
    }

    /// Ends the turn.
    void end() {
        abandon();
    }

    /// Ends the turn without an answer and returns the news that it has shown: the conversation does not have them.
    List<CallNews> abandon() {
        List<CallNews> lost;
        synchronized (this) {
            lost = List.copyOf(shown);
            shown.clear();
        }
        turn.end();
        return lost;
    }

    private static ToolDefinition definition(JsonNode function) {
        return DefaultToolDefinition.builder().name(function.path("name").stringValue())
                .description(function.path("description").asString(""))
                .inputSchema(function.path("parameters").toString()).build();
    }
}
