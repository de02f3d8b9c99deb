package dev.toolfleet.langchain4j;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.GatewayFleet;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.langchain4j.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// AiServices of LangChain4j with a scripted model against a whole fleet.
@Timeout(180)
@SuppressWarnings("NullAway.Init")
class FleetToolsIT {
    private static final Path BUNDLE = Path.of("../conformance/adapters");
    private static final Pattern HANDLE = Pattern.compile("its handle is (\\S+)\\.");

    @TempDir
    private static Path folder;
    private static OneJvmFleet fleet;
    private static ToolFleetClient client;

    private final ScriptedModel model = new ScriptedModel();
    private final BlockingQueue<CallNews> news = new LinkedBlockingQueue<>();

    interface Assistant {
        String chat(@MemoryId String conversation, @UserMessage String text);
    }

    interface Parameterized {
        String chat(@MemoryId String conversation, @UserMessage String text, InvocationParameters parameters);
    }

    interface Forgetful {
        String chat(String text);
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
        client = ToolFleetClient.open(ClientConfig.of(fleet.bootstrapServers()).named("langchain4j"));
    }

    @AfterAll
    static void stop() {
        client.close();
        fleet.close();
    }

    private Assistant assistant(String agent) {
        return assistant(Toolfleet.tools(client, agent));
    }

    private Assistant assistant(FleetToolProvider tools) {
        return tools.onNews(news::add)
                .addTo(AiServices.builder(Assistant.class).chatModel(model),
                        id -> MessageWindowChatMemory.withMaxMessages(50))
                .build();
    }

    @Test
    void theCallsOfOneMessageRunInOrderAndKeepTheirIds() {
        model.calls(call("call_a", "bash__exec", "{'command': 'sleep 0.3; echo a >>order'}"),
                call("call_b", "bash__exec", "{'command': 'echo b >>order'}"),
                call("call_c", "bash__exec", "{'command': 'cat order'}")).says("done");

        assertThat(assistant("coder").chat("order", "Go.")).isEqualTo("done");

        assertThat(ScriptedModel.tools(model.requests.getFirst())).contains("bash__exec", "file-system__write");
        assertThat(model.results()).extracting(ToolExecutionResultMessage::id).containsExactly("call_a", "call_b",
                "call_c");
        assertThat(model.results().getLast().text()).contains("a\\nb");
    }

    @Test
    void readOnlyCallsOfOneMessageOverlap() {
        model.calls(call("call_a", "people__meet", "{'name': 'ann'}"),
                call("call_b", "people__meet", "{'name': 'bob'}")).says("done");

        assistant("coder").chat("overlap", "Go.");

        assertThat(model.results()).hasSize(2)
                .allSatisfy(result -> assertThat(result.text()).contains("ann", "bob"));
    }

    @Test
    void eachRequestShowsTheToolsOfItsStep() {
        model.calls(call("call_0", "tool-search__search", "{'query': 'fetch url'}"));
        // The step behind the search may be announced before its result counts.
        for (int i = 0; i < 20; i++)
            model.does(request -> ScriptedModel.tools(request).contains("http-fetch__get")
                    ? AiMessage.from("found")
                    : AiMessage.from(List.of(call("call_0", "no__tool", "{}"))));

        assertThat(assistant("finder").chat("search", "Find it.")).isEqualTo("found");

        assertThat(ScriptedModel.tools(model.requests.getFirst())).contains("bash__exec", "tool-search__search")
                .doesNotContain("http-fetch__get");
        assertThat(ScriptedModel.tools(model.requests.getLast())).contains("http-fetch__get")
                .doesNotContain("bash__exec");
    }

    @Test
    void deniedAndFailedCallsAreTextForTheModel() {
        model.calls(call("call_0", "bash__exec", "{'command': 'rm note'}"),
                call("call_1", "file-system__read", "{'path': 'missing'}"),
                call("call_2", "file-system__read", "{'path': "), call("call_3", "no__tool", "{}")).says("sorry");

        assistant("coder").chat("denied", "Go.");

        assertThat(model.results().subList(0, 3)).allMatch(ToolExecutionResultMessage::isError);
        assertThat(model.results().get(0).text()).contains("E_TOOL_DENIED", "Nothing is removed here.");
        assertThat(model.results().get(1).text()).contains("missing");
        assertThat(model.results().get(2).text()).contains("E_TOOL_INVALID_ARGS");
        assertThat(model.results().get(3).text()).contains("no__tool");
    }

    @Test
    void callsAndNewsComeOverAGatewayToo() {
        model.calls(call("call_a", "bash__exec", "{'command': 'sleep 0.3; echo a >>order'}"),
                call("call_b", "bash__exec", "{'command': 'echo b >>order; cat order'}"),
                call("call_c", "file-system__write", "{'path': 'note', 'content': 'hello'}")).does(request -> {
                    approve(model.results().getLast().text());
                    return AiMessage.from(List.of(call("call_a", "bash__exec", "{'command': 'cat note'}")));
                }).says("written");
        try (GatewayFleet gateway = GatewayFleet.at(URI.create(fleet.gatewayUrl().orElseThrow()))) {
            Assistant assistant = assistant(Toolfleet.tools(gateway, "coder"));

            assertThat(assistant.chat("gateway/1", "Write a note.")).isEqualTo("written");
        }

        List<ToolExecutionResultMessage> results = model.results();
        assertThat(results).extracting(ToolExecutionResultMessage::id).containsExactly("call_a", "call_b", "call_c",
                "call_a");
        assertThat(results.get(1).text()).contains("a\\nb");
        assertThat(results.getLast().text()).contains("hello");
        assertThat(ScriptedModel.userTexts(model.requests.getLast())).last().asString()
                .contains("[tool result] file-system__write", "ok");
    }

    @Test
    void anApprovalIsPendingAndItsResultIsNewsWithinTheTurn() {
        model.calls(call("call_0", "file-system__write", "{'path': 'note', 'content': 'hello'}"))
                .does(request -> {
                    approve(model.results().getLast().text());
                    return AiMessage.from(List.of(call("call_0", "bash__exec", "{'command': 'cat note'}")));
                }).says("written").says("later");
        Assistant assistant = assistant("coder");

        assertThat(assistant.chat("approval", "Write a note.")).isEqualTo("written");

        assertThat(model.results().getFirst().text()).contains("A person reads each file.", "later message");
        assertThat(model.results().getLast().text()).contains("hello");
        assertThat(ScriptedModel.userTexts(model.requests.get(1))).hasSize(1);
        assertThat(ScriptedModel.userTexts(model.requests.get(2))).hasSize(2).last().asString()
                .contains("[tool result] file-system__write", "ok");

        assistant.chat("approval", "And now?");
        assertThat(ScriptedModel.userTexts(model.requests.get(3))).hasSize(3).last().isEqualTo("And now?");
    }

    @Test
    void newsBetweenTwoTurnsAreInTheNextOneOnce() {
        model.calls(call("call_0", "file-system__write", "{'path': 'other', 'content': 'hello'}")).says("waiting")
                .says("thanks").says("yes");
        Assistant assistant = assistant("coder");
        assertThat(assistant.chat("later", "Write a note.")).isEqualTo("waiting");

        approve(model.results().getLast().text());
        assistant.chat("later", "Is it there?");
        assistant.chat("later", "Really?");

        assertThat(ScriptedModel.userTexts(model.requests.get(2))).hasSize(3).last().asString()
                .contains("[tool result] file-system__write", "ok");
        assertThat(ScriptedModel.userTexts(model.requests.getLast())).hasSize(4)
                .filteredOn(text -> text.startsWith("[tool result]")).hasSize(1);
    }

    @Test
    void parametersThatAreUsedAgainKeepNoTurn() {
        Parameterized service = Toolfleet.tools(client, "coder")
                .addTo(AiServices.builder(Parameterized.class).chatModel(model),
                        id -> MessageWindowChatMemory.withMaxMessages(50))
                .build();
        InvocationParameters parameters = InvocationParameters.from(FleetToolProvider.USER_ID, "ann");
        model.says("one").does(request -> {
            assertThat(parameters.asMap()).hasSize(2);
            throw new IllegalStateException("the provider is away");
        });

        service.chat("parameters", "Go.", parameters);
        assertThatThrownBy(() -> service.chat("parameters", "Go.", parameters)).hasMessageContaining("is away");

        assertThat(parameters.asMap()).containsOnlyKeys(FleetToolProvider.USER_ID);
    }

    @Test
    void thePlainProviderIsEnoughForTools() {
        model.calls(call("call_0", "bash__exec", "{'command': 'echo plain'}")).says("done");
        Assistant assistant = AiServices.builder(Assistant.class).chatModel(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(50))
                .toolProvider(Toolfleet.tools(client, "coder")).build();

        assertThat(assistant.chat("plain", "Go.")).isEqualTo("done");
        assertThat(model.results().getLast().text()).contains("plain");
    }

    @Test
    void aServiceWithoutMemoryIdNeedsANameForItsConversation() {
        FleetToolProvider tools = Toolfleet.tools(client, "coder");
        Forgetful nameless = AiServices.builder(Forgetful.class).chatModel(model).toolProvider(tools).build();
        Forgetful named = AiServices.builder(Forgetful.class).chatModel(model)
                .toolProvider(tools.forInstances(id -> "named")).build();
        model.says("hi");

        assertThatThrownBy(() -> nameless.chat("Hi.")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@MemoryId");
        assertThat(named.chat("Hi.")).isEqualTo("hi");
    }

    /// A person approves the call whose answer this is, and its final result arrives.
    private void approve(String pending) {
        Matcher handle = HANDLE.matcher(pending);
        assertThat(handle.find()).as(pending).isTrue();
        try (Decisions decisions = Decisions.open(ClientConfig.of(fleet.bootstrapServers()).named("chat"))) {
            decisions.approve(handle.group(1), "ann", null).toCompletableFuture().join();
        }
        try {
            assertThat(news.poll(Duration.ofSeconds(30).toSeconds(), TimeUnit.SECONDS)).isNotNull();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
