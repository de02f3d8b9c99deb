package dev.toolfleet.example.langchain4jagent;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.langchain4j.Toolfleet;

/// An AI service whose tools run in a fleet. Its model follows a script; any other ChatModel can take its place.
///
///     java -cp 'lib/*' dev.toolfleet.example.langchain4jagent.CoderAgent 127.0.0.1:9092
public final class CoderAgent {
    private static final long PATIENCE_SECONDS = 60;

    /// The AI service: LangChain4j implements it.
    interface Assistant {
        /// Answers a user. The memory id is the conversation, the fleet's `instanceKey`.
        String chat(@MemoryId String conversation, @UserMessage String text);
    }

    private CoderAgent() {}

    /// Holds a conversation of two turns.
    ///
    /// @param args the broker as `host:port`
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            System.err.println("Name the broker: 127.0.0.1:9092");
            System.exit(2);
        }
        ClientConfig config = ClientConfig.of(args[0]).named("coder-agent");
        ScriptedModel model = new ScriptedModel();
        BlockingQueue<CallNews> news = new LinkedBlockingQueue<>();
        try (ToolFleetClient client = ToolFleetClient.open(config)) {
            Assistant assistant = assistant(client, model, news);
            say(assistant, "Write a greeting for Ada.");
            approve(config, model);
            // The result of the approved call arrives between two turns.
            if (news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null)
                throw new IllegalStateException("the approved call has no result after " + PATIENCE_SECONDS + " s");
            say(assistant, "Is it there?");
        }
    }

    private static Assistant assistant(ToolFleetClient client, ChatModel model, BlockingQueue<CallNews> news) {
        AiServices<Assistant> service = AiServices.builder(Assistant.class).chatModel(model);
        return Toolfleet.tools(client, "coder").onNews(news::add)
                .addTo(service, id -> MessageWindowChatMemory.withMaxMessages(100)).build();
    }

    private static void say(Assistant assistant, String text) {
        System.out.println("user: " + text);
        System.out.println("assistant: " + assistant.chat("chat-1", text));
    }

    /// A person approves the call that waits. Elsewhere that is the console, or a chat with the person.
    private static void approve(ClientConfig config, ScriptedModel model) {
        try (Decisions decisions = Decisions.open(config.named("person"))) {
            decisions.approve(model.pendingHandle(), "ann", null).toCompletableFuture().join();
        }
        System.out.println("a person: approves");
    }
}
