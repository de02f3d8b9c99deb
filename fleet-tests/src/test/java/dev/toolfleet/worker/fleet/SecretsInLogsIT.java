package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Whatever becomes of a call: what it was given and what it returned stands in no line of the log.
@EmbeddedKafkaTest
@Isolated("changes the level of the fleet's logs")
class SecretsInLogsIT {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final String MARK = "markedsecret7c1f";

    private final Lines lines = new Lines();
    private final Logger fleetLogs = (Logger) LoggerFactory.getLogger("dev.toolfleet");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @BeforeEach
    void listen() {
        lines.start();
        fleetLogs.setLevel(Level.DEBUG);
        fleetLogs.setAdditive(false);
        fleetLogs.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        fleetLogs.detachAppender(lines);
        fleetLogs.setAdditive(true);
        fleetLogs.setLevel(null);
    }

    @Test
    void noFateOfACallShowsItsPayload(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            ObjectNode tool = TestResources.tool("t", TestTools.class, "echo", "fail", "pend", "write");
            TestResources.export(tool, "write").put("requiresApproval", true);
            HandMade hand = new HandMade(fleet).apply(tool, TestResources.agent(HandMade.AGENT, "Tool/t"));
            hand.step("i", "s1", 0, hand.content(hand.items()));
            fleet.worker("w1");

            assertThat(ended(fleet, "ok", "echo", Map.of("text", MARK)).error()).isNull();
            assertThat(error(ended(fleet, "thrown", "fail", Map.of("how", "quote", "text", MARK)))).contains(MARK);
            ended(fleet, "timeout", "fail", Map.of("how", "sleep", "text", MARK), 1);
            ended(fleet, "large", "fail", Map.of("how", "huge", "text", MARK));
            ended(fleet, "cyclic", "fail", Map.of("how", "notJson", "text", MARK));
            ended(fleet, "unknown", "none", Map.of("text", MARK));
            question(fleet);
            pending(fleet);
            for (String bad : List.of("{\"id\":\"bad\",\"name\":\"t__echo\",\"instanceKey\":\"i\",\"args\":" + MARK,
                    MARK, "{\"name\":{\"" + MARK + "\":1},\"id\":\"bad\",\"instanceKey\":\"i\"}"))
                fleet.send(Topic.CALL, fleet.partition("i"), "i", bad.getBytes(StandardCharsets.UTF_8));
            for (Topic by : List.of(Topic.COMPLETION, Topic.CALL_RESUMED, Topic.CONTROL, Topic.JOURNAL, Topic.DECISION))
                fleet.send(by, 0, "h-bad", ("{\"handle\":" + MARK).getBytes(StandardCharsets.UTF_8));
            fleet.records(Topic.DEAD_LETTER, 5);
            await().atMost(Duration.ofSeconds(60)).until(
                    () -> lines.all.stream()
                            .anyMatch(line -> line.contains("resumed call skipped: record not understood")));
        }

        assertThat(lines.all).as("the test hears the fleet").anyMatch(line -> line.contains("partition starts"));
        assertThat(lines.all).noneMatch(line -> line.contains(MARK));
    }

    private static void question(TestFleet fleet) {
        ToolCall call = HandMade.call("asked", "t__write", "i", "s1", 0, Map.of("tag", MARK));
        fleet.send(call);
        fleet.result(call, result -> !result.isFinal());
    }

    private static void pending(TestFleet fleet) {
        ToolCall call = HandMade.call("pending", "t__pend", "i", "s1", 0, Map.of("handle", "h-secret", "text", MARK));
        fleet.send(call);
        for (Completion end : List.of(Completion.failed("h-secret", new ToolError("E_X", null, MARK, null, null), null),
                Completion.completed("h-secret", StringNode.valueOf(MARK), null)))
            fleet.send(Topic.COMPLETION, 0, "h-secret", COMPLETIONS.write(end));
        assertThat(error(fleet.result(call, ToolResult::isFinal))).contains(MARK);
    }

    private static ToolResult ended(TestFleet fleet, String id, String export, Map<String, Object> args) {
        return ended(fleet, id, export, args, 60);
    }

    private static ToolResult ended(TestFleet fleet, String id, String export, Map<String, Object> args, int seconds) {
        ToolCall call = HandMade.call(id, "t__" + export, "i", "s1", 0, args).until(Instant.now().plusSeconds(seconds));
        fleet.send(call);
        return fleet.result(call, ToolResult::isFinal);
    }

    private static String error(ToolResult result) {
        return Optional.ofNullable(result.error()).map(ToolError::message).orElse("");
    }

    /// Everything that a line could show.
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            all.add(event.getFormattedMessage() + " " + event.getKeyValuePairs() + " " + event.getMDCPropertyMap()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : " " + ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }
}
