package dev.toolfleet.example.springaiagent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.definition.ToolDefinition;

/// Model that follows a script, and prints what it is shown. Gets its tools from the manager, as Spring AI's models do.
final class ScriptedModel implements ChatModel {
    private static final Pattern HANDLE = Pattern.compile("its handle is (\\S+)\\.");
    private static final Pattern OUTPUT = Pattern.compile("\"stdout\":\"(.*?)\\\\n\"");

    private final Deque<AssistantMessage> script = new ArrayDeque<>(List.of(
            calls(call("call_1", "bash__exec", "{\"command\": \"echo Hello,\"}"),
                    call("call_2", "bash__exec", "{\"command\": \"echo Ada!\"}")),
            calls(call("call_1", "file-system__write",
                    "{\"path\": \"greeting.txt\", \"content\": \"Hello, Ada!\"}")),
            new AssistantMessage("A person looks at the file first."), new AssistantMessage("Yes, it is written.")));
    private final ToolCallingManager manager;
    private String handle = "";
    private boolean named;

    ScriptedModel(ToolCallingManager manager) {
        this.manager = manager;
    }

    private static ToolCall call(String id, String name, String arguments) {
        return new ToolCall(id, "function", name, arguments);
    }

    private static AssistantMessage calls(ToolCall... calls) {
        return AssistantMessage.builder().content("").toolCalls(List.of(calls)).build();
    }

    /// Returns the handle of the call that waits for a person.
    String pendingHandle() {
        return handle;
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        if (!(prompt.getOptions() instanceof ToolCallingChatOptions options))
            throw new IllegalStateException("the prompt has no options for tools");
        String tools = manager.resolveToolDefinitions(options).stream().map(ToolDefinition::name)
                .collect(Collectors.joining(", "));
        if (!named)
            System.out.println("  tools: " + tools);
        named = true;
        read(prompt.getInstructions());
        AssistantMessage answer = script.remove();
        answer.getToolCalls().forEach(call -> System.out.println("  model calls " + call.name() + " as " + call.id()));
        return new ChatResponse(List.of(new Generation(answer)));
    }

    private void read(List<Message> messages) {
        if (messages.getLast() instanceof ToolResponseMessage results)
            results.getResponses().forEach(this::read);
        else
            messages.stream().filter(UserMessage.class::isInstance).map(Message::getText)
                    .filter(text -> text != null && text.startsWith("[tool result]"))
                    .forEach(text -> System.out.println("  news: " + text.lines().findFirst().orElse("")
                            .replaceAll("handle \\S+,", "handle …,")));
    }

    private void read(ToolResponse result) {
        Matcher pending = HANDLE.matcher(result.responseData());
        Matcher output = OUTPUT.matcher(result.responseData());
        String shown = output.find() ? output.group(1) : result.responseData();
        if (pending.find()) {
            handle = pending.group(1);
            shown = "pending";
        }
        System.out.println("  result of " + result.id() + ": " + shown);
    }
}
