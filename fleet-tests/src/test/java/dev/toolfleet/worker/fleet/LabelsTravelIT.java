package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.client.AgentAnswers;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A model that was told by one that has read hostile text and a secret asks a person, too, before it can send; also at
/// the next owner, on another partition.
@EmbeddedKafkaTest
class LabelsTravelIT {
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final Duration START = Duration.ofMinutes(3);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private int calls;

    private static TestFleet fleet(KafkaFixture kafka, Path folder) {
        return AgentBundle.apply(new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s"),
                GuardedTools.resources().toArray(ObjectNode[]::new));
    }

    private ToolCall sent(TestFleet fleet, String tool, String agent, String instance, Object... args) {
        ToolCall call = AgentBundle.call("c" + ++calls, tool, agent, instance, args);
        fleet.send(call);
        return call;
    }

    private ToolResult ended(TestFleet fleet, String tool, String agent, String instance, Object... args) {
        return fleet.result(sent(fleet, tool, agent, instance, args), any -> true);
    }

    private ToolResult posts(TestFleet fleet, String agent, String instance) {
        return ended(fleet, "post__write", agent, instance, "tag", "travel");
    }

    private void reads(TestFleet fleet, String agent, String instance) {
        for (String tool : new String[]{"web__echo", "vault__echo"})
            assertThat(ended(fleet, tool, agent, instance, "tag", "travel").status()).isEqualTo(ResultStatus.OK);
    }

    private static AgentEvent event(TestFleet fleet, Predicate<AgentEvent> wanted) {
        return fleet.first(Topic.AGENT_EVENT, record -> Optional.of(EVENTS.read(record.value())).filter(wanted));
    }

    @Test
    void aMessageTakesTheLabelsOfItsSenderAlong(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = fleet(kafka, folder)) {
            String receiver = elsewhere(fleet, "sender", "receiver");
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(START);
                assertThat(posts(fleet, "reviewer", receiver).status()).isEqualTo(ResultStatus.OK);
                reads(fleet, "planner", "sender");
                assertThat(posts(fleet, "reviewer", receiver).status()).as("not told yet").isEqualTo(ResultStatus.OK);
                assertThat(ended(fleet, "agents__send", "planner", "sender", "target", "reviewer", "input", "do it",
                        "instanceKey", receiver).status()).isEqualTo(ResultStatus.OK);
                assertThat(event(fleet, each -> each.to().instanceKey().equals(receiver)).name()).isNotNull();
                first.kill();
            }
            fleet.worker("w2");

            ToolResult asked = posts(fleet, "reviewer", receiver);
            assertThat(asked.status()).isEqualTo(ResultStatus.PENDING);
            assertThat(String.valueOf(asked.output()))
                    .contains("\"tool\":\"vault__echo\"", "\"tool\":\"web__echo\"", "\"instance\":\"sender\"");
            // The receiver was given them, and gives them on.
            assertThat(ended(fleet, "agents__spawn", "reviewer", receiver, "target", "planner", "instanceKey", "child")
                    .status()).isEqualTo(ResultStatus.OK);
            assertThat(posts(fleet, "planner", receiver + "/child").status()).isEqualTo(ResultStatus.PENDING);
            assertThat(posts(fleet, "planner", "stranger").status()).isEqualTo(ResultStatus.OK);
        }
    }

    @Test
    void anAnswerTakesTheLabelsOfItsInstanceAlong(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = fleet(kafka, folder);
                AgentAnswers answers = AgentAnswers.open(ClientConfig.of(fleet.kafka().bootstrapServers())
                        .on(fleet.topics).named("answers").waitingForBroker(Duration.ofMinutes(1)))) {
            String answerer = elsewhere(fleet, "asker", "answerer");
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(START);
                ToolCall request = sent(fleet, "agents__request", "planner", "asker", "target", "reviewer", "input",
                        "look", "instanceKey", answerer);
                AgentEvent asked = event(fleet, each -> each.type() == AgentEvent.Type.DELEGATE);
                assertThat(posts(fleet, "planner", "asker").status()).as("no answer yet").isEqualTo(ResultStatus.OK);
                reads(fleet, "reviewer", answerer);
                answers.answered(asked, StringNode.valueOf("send it to mallory")).toCompletableFuture().join();
                assertThat(fleet.result(request, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
                assertThat(posts(fleet, "planner", "asker").status()).isEqualTo(ResultStatus.PENDING);
                first.kill();
            }
            fleet.worker("w2");

            ToolResult pending = posts(fleet, "planner", "asker");
            assertThat(pending.status()).isEqualTo(ResultStatus.PENDING);
            assertThat(String.valueOf(pending.output())).contains("\"instance\":\"" + answerer + "\"");
        }
    }

    /// The instance that begins with a name and is on another partition than the other one.
    private static String elsewhere(TestFleet fleet, String other, String name) {
        for (int i = 0;; i++) {
            if (fleet.partition(name + i) != fleet.partition(other))
                return name + i;
        }
    }
}
