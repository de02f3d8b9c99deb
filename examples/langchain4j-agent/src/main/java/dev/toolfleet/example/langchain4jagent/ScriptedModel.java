package dev.toolfleet.example.langchain4jagent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;

/// Model that follows a script, and prints what it is shown.
final class ScriptedModel implements ChatModel {
    private static final Pattern HANDLE = Pattern.compile("its handle is (\\S+)\\.");
    private static final Pattern OUTPUT = Pattern.compile("\"stdout\":\"(.*?)\\\\n\"");

    private final Deque<AiMessage> script = new ArrayDeque<>(List.of(
            AiMessage.from(List.of(call("call_1", "bash__exec", "{\"command\": \"echo Hello,\"}"),
                    call("call_2", "bash__exec", "{\"command\": \"echo Ada!\"}"))),
            AiMessage.from(List.of(call("call_1", "file-system__write",
                    "{\"path\": \"greeting.txt\", \"content\": \"Hello, Ada!\"}"))),
            AiMessage.from("A person looks at the file first."), AiMessage.from("Yes, it is written.")));
    private String handle = "";
    private boolean named;

    private static ToolExecutionRequest call(String id, String name, String arguments) {
        return ToolExecutionRequest.builder().id(id).name(name).arguments(arguments).build();
    }

    /// Returns the handle of the call that waits for a person.
    String pendingHandle() {
        return handle;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        if (!named) {
            named = true;
            System.out.println("  tools: " + request.toolSpecifications().stream().map(ToolSpecification::name)
                    .collect(Collectors.joining(", ")));
        }
        List<ChatMessage> messages = request.messages();
        // Messages behind the model's own last message are new.
        int last = messages.size();
        while (last > 0 && !(messages.get(last - 1) instanceof AiMessage))
            last--;
        messages.subList(last, messages.size()).forEach(this::read);
        AiMessage answer = script.remove();
        answer.toolExecutionRequests().forEach(
                call -> System.out.println("  model calls " + call.name() + " as " + call.id()));
        return ChatResponse.builder().aiMessage(answer).build();
    }

    private void read(ChatMessage message) {
        if (message instanceof ToolExecutionResultMessage result) {
            Matcher pending = HANDLE.matcher(result.text());
            Matcher output = OUTPUT.matcher(result.text());
            String shown = output.find() ? output.group(1) : result.text();
            if (pending.find()) {
                handle = pending.group(1);
                shown = "pending";
            }
            System.out.println("  result of " + result.id() + ": " + shown);
        } else if (message instanceof UserMessage user && user.singleText().startsWith("[tool result]")) {
            System.out.println("  news: " + user.singleText().lines().findFirst().orElse("")
                    .replaceAll("handle \\S+,", "handle …,"));
        }
    }
}
