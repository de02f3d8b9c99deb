package dev.toolfleet.example.springaiagent;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.springai.FleetAdvisor;
import dev.toolfleet.springai.ToolfleetProperties;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static java.util.Objects.requireNonNull;

/// A Spring Boot application whose tools run in a fleet. Its model follows a script; any other ChatModel can take its
/// place.
///
///     java -cp 'lib/*' dev.toolfleet.example.springaiagent.SpringAgent --toolfleet.bootstrap-servers=127.0.0.1:9092
@SpringBootConfiguration
@EnableAutoConfiguration
public class SpringAgent {
    private static final long PATIENCE_SECONDS = 60;

    private final BlockingQueue<CallNews> news = new LinkedBlockingQueue<>();

    /// Holds a conversation of two turns.
    ///
    /// @param args settings, such as `--toolfleet.bootstrap-servers=127.0.0.1:9092`
    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(SpringAgent.class)
                .web(WebApplicationType.NONE).properties("toolfleet.agent=coder", "spring.main.banner-mode=off")
                .run(args)) {
            ChatClient client = client(application.getBean(ChatClient.Builder.class),
                    application.getBean(FleetAdvisor.class));
            say(client, "Write a greeting for Ada.");
            approve(application);
            // The result of the approved call arrives between two turns.
            if (application.getBean(SpringAgent.class).news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null)
                throw new IllegalStateException("the approved call has no result after " + PATIENCE_SECONDS + " s");
            say(client, "Is it there?");
        }
    }

    private static ChatClient client(ChatClient.Builder builder, FleetAdvisor toolfleet) {
        return builder.defaultAdvisors(toolfleet).build();
    }

    @Bean
    ScriptedModel model(ToolCallingManager manager) {
        return new ScriptedModel(manager);
    }

    @EventListener
    void arrived(CallNews one) {
        news.add(one);
    }

    private static void say(ChatClient client, String text) {
        System.out.println("user: " + text);
        System.out.println("assistant: " + client.prompt().user(text)
                .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "chat-1")).call().content());
    }

    /// A person approves the call that waits. Elsewhere that is the console, or a chat with the person.
    private static void approve(ConfigurableApplicationContext application) {
        String broker = requireNonNull(application.getBean(ToolfleetProperties.class).bootstrapServers());
        try (Decisions decisions = Decisions.open(ClientConfig.of(broker).named("person"))) {
            decisions.approve(application.getBean(ScriptedModel.class).pendingHandle(), "ann", null)
                    .toCompletableFuture().join();
        }
        System.out.println("a person: approves");
    }
}
