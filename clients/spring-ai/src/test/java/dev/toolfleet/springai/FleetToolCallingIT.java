package dev.toolfleet.springai;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static dev.toolfleet.springai.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A Spring Boot application with Spring AI's auto-configuration and a scripted model, against a whole fleet.
@Timeout(180)
@SuppressWarnings("NullAway.Init")
class FleetToolCallingIT {
    private static final Path BUNDLE = Path.of("../conformance/adapters");
    private static final Pattern HANDLE = Pattern.compile("its handle is (\\S+)\\.");

    @TempDir
    private static Path folder;
    private static OneJvmFleet fleet;
    private static ConfigurableApplicationContext coder;

    private final ScriptedModel model = coder.getBean(ScriptedModel.class);

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        final BlockingQueue<CallNews> news = new LinkedBlockingQueue<>();

        @Bean
        ScriptedModel model(ToolCallingManager manager) {
            return new ScriptedModel(manager);
        }

        @Bean
        ChatMemory memory() {
            return MessageWindowChatMemory.builder().build();
        }

        @EventListener
        void arrived(CallNews one) {
            news.add(one);
        }
    }

    static class Clock {
        @Tool(description = "Returns the hour.")
        String hour() {
            return "noon";
        }
    }

    @BeforeAll
    static void start() {
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()),
                false, false, 100);
        FleetPlan plan = FleetPlan.temporary(folder, LocalBundle.calledLikeItsFolder(BundleCheck.check(BUNDLE)),
                Map.of());
        try (ProgressNote progress = new ProgressNote(terminal)) {
            fleet = OneJvmFleet.start(plan, progress);
        }
        coder = application("coder", "toolfleet.bootstrap-servers=" + fleet.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        coder.close();
        fleet.close();
    }

    @BeforeEach
    void forget() {
        model.forget();
    }

    private static ConfigurableApplicationContext application(String agent, String way) {
        return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
                .properties("toolfleet.agent=" + agent, way, "spring.main.banner-mode=off", "logging.level.root=warn")
                .run();
    }

    private static ChatClient client(ConfigurableApplicationContext application) {
        return application.getBean(ChatClient.Builder.class).defaultAdvisors(application.getBean(FleetAdvisor.class))
                .build();
    }

    private static ChatClient remembering(FleetAdvisor advisor, ChatMemory memory) {
        return coder.getBean(ChatClient.Builder.class)
                .defaultAdvisors(advisor, MessageChatMemoryAdvisor.builder(memory).build()).build();
    }

    private static String chat(ChatClient client, String conversation, String text) {
        String answer = client.prompt().user(text).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, conversation))
                .call().content();
        return answer == null ? "" : answer;
    }

    @Test
    void theCallsOfOneMessageRunInOrderBesideTheApplicationsOwn() {
        model.calls(call("call_a", "bash__exec", "{'command': 'sleep 0.3; echo a >>order'}"),
                call("call_b", "hour", "{}"), call("call_c", "bash__exec", "{'command': 'echo c >>order'}"),
                call("call_d", "bash__exec", "{'command': 'cat order'}")).says("done");

        String answer = client(coder).prompt().user("Go.").tools(new Clock())
                .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "order")).call().content();

        assertThat(answer).isEqualTo("done");
        assertThat(model.tools.getFirst()).contains("hour", "bash__exec", "file-system__write");
        assertThat(model.results()).extracting(ToolResponse::id).containsExactly("call_a", "call_b", "call_c",
                "call_d");
        assertThat(model.results().get(1).responseData()).contains("noon");
        assertThat(model.results().getLast().responseData()).contains("a\\nc");
    }

    @Test
    void readOnlyCallsOfOneMessageOverlap() {
        model.calls(call("call_a", "people__meet", "{'name': 'ann'}"),
                call("call_b", "people__meet", "{'name': 'bob'}")).says("done");

        chat(client(coder), "overlap", "Go.");

        assertThat(model.results()).hasSize(2)
                .allSatisfy(result -> assertThat(result.responseData()).contains("ann", "bob"));
    }

    @Test
    void eachRequestShowsTheToolsOfItsStepOverAGateway() {
        try (ConfigurableApplicationContext finder = application("finder",
                "toolfleet.gateway=" + fleet.gatewayUrl().orElseThrow())) {
            ScriptedModel own = finder.getBean(ScriptedModel.class);
            own.calls(call("call_0", "tool-search__search", "{'query': 'fetch url'}"));
            // The step behind the search may be announced before its result counts.
            for (int i = 0; i < 20; i++)
                own.does(() -> own.tools.getLast().contains("http-fetch__get")
                        ? new AssistantMessage("found")
                        : AssistantMessage.builder().content("").toolCalls(List.of(call("call_0", "no__tool", "{}")))
                                .build());

            assertThat(chat(client(finder), "search", "Find it.")).isEqualTo("found");

            assertThat(own.tools.getFirst()).contains("bash__exec", "tool-search__search")
                    .doesNotContain("http-fetch__get");
            assertThat(own.tools.getLast()).contains("http-fetch__get").doesNotContain("bash__exec");
        }
    }

    @Test
    void deniedAndFailedCallsAreTextForTheModel() {
        model.calls(call("call_0", "bash__exec", "{'command': 'rm note'}"),
                call("call_1", "file-system__read", "{'path': 'missing'}"),
                call("call_2", "file-system__read", "{'path': "), call("call_3", "no__tool", "{}")).says("sorry");

        chat(client(coder), "denied", "Go.");

        assertThat(model.results()).extracting(ToolResponse::responseData).satisfiesExactly(
                denied -> assertThat(denied).contains("E_TOOL_DENIED", "Nothing is removed here."),
                missing -> assertThat(missing).contains("missing"),
                invalid -> assertThat(invalid).contains("E_TOOL_INVALID_ARGS"),
                unknown -> assertThat(unknown).contains("E_TOOL_NOT_IN_CATALOG", "no__tool"));
    }

    @Test
    void anApprovalIsPendingAndItsResultIsNewsWithinTheTurn() {
        model.calls(call("call_0", "file-system__write", "{'path': 'note', 'content': 'hello'}")).does(() -> {
            approve(model.results().getLast().responseData());
            return AssistantMessage.builder().content("")
                    .toolCalls(List.of(call("call_0", "bash__exec", "{'command': 'cat note'}"))).build();
        }).says("written");

        assertThat(chat(client(coder), "approval", "Write a note.")).isEqualTo("written");

        assertThat(model.userTexts(1)).hasSize(1);
        assertThat(model.results().getLast().responseData()).contains("hello");
        assertThat(model.userTexts(2)).hasSize(2).last().asString().contains("[tool result] file-system__write", "ok");
    }

    @Test
    void newsBetweenTwoTurnsAreInTheNextOne() {
        model.calls(call("call_0", "file-system__write", "{'path': 'other', 'content': 'hello'}")).says("waiting")
                .says("thanks");
        assertThat(chat(client(coder), "later", "Write a note.")).isEqualTo("waiting");

        approve(model.results(1).getLast().responseData());
        chat(client(coder), "later", "Is it there?");

        assertThat(model.userTexts(2)).hasSize(2).first().asString().contains("[tool result] file-system__write");
        assertThat(model.userTexts(2)).last().isEqualTo("Is it there?");
    }

    @Test
    void aMemoryKeepsTheNews() {
        model.calls(call("call_0", "file-system__write", "{'path': 'kept', 'content': 'hello'}")).says("waiting")
                .says("thanks").says("yes");
        ChatMemory memory = coder.getBean(ChatMemory.class);
        ChatClient client = remembering(new FleetAdvisor(coder.getBean(AgentTurns.class), Optional.of(memory)), memory);
        chat(client, "memory", "Write a note.");

        approve(model.results(1).getLast().responseData());
        chat(client, "memory", "Is it there?");
        chat(client, "memory", "Really?");

        assertThat(model.userTexts(3)).hasSize(4).filteredOn(text -> text.startsWith("[tool result]")).hasSize(1);
    }

    @Test
    void newsReachAModelWhoseMemoryTheAdvisorDoesNotKnow() {
        model.calls(call("call_0", "file-system__write", "{'path': 'unkept', 'content': 'hello'}")).says("waiting")
                .says("thanks");
        ChatClient client = remembering(coder.getBean(FleetAdvisor.class), MessageWindowChatMemory.builder().build());
        chat(client, "another", "Write a note.");

        approve(model.results(1).getLast().responseData());
        chat(client, "another", "Is it there?");

        assertThat(model.userTexts(2)).hasSize(3).filteredOn(text -> text.startsWith("[tool result]")).hasSize(1);
    }

    @Test
    void newsOfARequestThatFailedAreInTheNextOne() {
        model.calls(call("call_0", "file-system__write", "{'path': 'failed', 'content': 'hello'}")).says("waiting")
                .does(() -> {
                    throw new IllegalStateException("the provider is away");
                }).calls(call("call_1", "bash__exec", "{'command': 'cat failed'}")).does(() -> {
                    throw new IllegalStateException("the provider is away again");
                }).says("thanks").says("yes");
        chat(client(coder), "failing", "Write a note.");
        approve(model.results(1).getLast().responseData());

        assertThatThrownBy(() -> chat(client(coder), "failing", "Is it there?")).hasMessageContaining("is away");
        assertThatThrownBy(() -> chat(client(coder), "failing", "Is it?")).hasMessageContaining("is away again");
        chat(client(coder), "failing", "Well?");
        chat(client(coder), "failing", "Really?");

        for (int request = 2; request <= 5; request++)
            assertThat(model.userTexts(request)).hasSize(2).first().asString().startsWith("[tool result]");
        assertThat(model.userTexts(6)).containsExactly("Really?");
    }

    @Test
    void newsComeWithResultsOfTheApplicationsOwnTools() {
        model.calls(call("call_0", "file-system__write", "{'path': 'own', 'content': 'hello'}")).does(() -> {
            approve(model.results().getLast().responseData());
            return AssistantMessage.builder().content("").toolCalls(List.of(call("call_1", "hour", "{}"))).build();
        }).says("written");

        client(coder).prompt().user("Go.").tools(new Clock())
                .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "own")).call().content();

        assertThat(model.results(2)).extracting(ToolResponse::id).containsExactly("call_1");
        assertThat(model.userTexts(2)).hasSize(2).last().asString().contains("[tool result] file-system__write", "ok");
    }

    @Test
    void aRequestWithoutAConversationIsRefused() {
        assertThatThrownBy(() -> client(coder).prompt().user("Hi.").call().content())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ChatMemory.CONVERSATION_ID");
    }

    @Test
    void aClientWithoutTheAdvisorHasTheApplicationsToolsOnly() {
        model.calls(call("call_0", "hour", "{}")).says("done");

        assertThat(coder.getBean(ChatClient.Builder.class).build().prompt().user("Go.").tools(new Clock()).call()
                .content()).isEqualTo("done");
        assertThat(model.tools.getFirst()).containsExactly("hour");
    }

    /// A person approves the call whose answer this is, and its final result arrives.
    private static void approve(String pending) {
        Matcher handle = HANDLE.matcher(pending);
        assertThat(handle.find()).as(pending).isTrue();
        try (Decisions decisions = Decisions.open(ClientConfig.of(fleet.bootstrapServers()).named("chat"))) {
            decisions.approve(handle.group(1), "ann", null).toCompletableFuture().join();
        }
        try {
            assertThat(coder.getBean(Application.class).news.poll(30, TimeUnit.SECONDS)).isNotNull();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
