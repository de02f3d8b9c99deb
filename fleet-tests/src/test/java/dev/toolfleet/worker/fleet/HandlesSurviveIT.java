package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.IntNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Open handles when everything around them goes away and comes back.
@Timeout(600)
@Tag("slow")
class HandlesSurviveIT {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final int HANDLES = 5_000;
    private static final int INSTANCES = 50;

    @TempDir
    private Path folder;

    @Test
    void aBrokerRestartAndARebalanceLoseNoHandleAndEveryCallEndsOnce() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(
                EmbeddedKafkaConfig.temporary().withData(folder.resolve("kafka")), folder.resolve("broker.log"));
                TestFleet fleet = new TestFleet(KafkaFixture.on(broker.bootstrapServers(), "survive-"), folder, 4)) {
            List<ToolCall> calls = new ArrayList<>();
            for (int instance = 0; instance < INSTANCES; instance++)
                fleet.announce("i" + instance, "s1");
            for (int number = 0; number < HANDLES; number++)
                calls.add(TestFleet.call("c" + number, "t__pend", "i" + number % INSTANCES,
                        Map.of("handle", "h" + number)));
            Worker first = fleet.worker("first");
            fleet.sendAll(calls);
            assertThat(answered(fleet, false)).as("everything is pending").hasSize(HANDLES);
            complete(fleet, 0, HANDLES / 2);

            broker.kill();
            broker.restart();
            fleet.worker("second");
            complete(fleet, HANDLES / 2, HANDLES);
            first.close();

            assertThat(answered(fleet, true)).as("every call has its final result").hasSize(HANDLES);
        }
    }

    private static void complete(TestFleet fleet, int from, int to) {
        for (int number = from; number < to; number++)
            fleet.sendLater(Topic.COMPLETION, number % fleet.partitions, "h" + number,
                    COMPLETIONS.write(Completion.completed("h" + number, IntNode.valueOf(number), null)));
    }

    /// The calls that have a result, once all of them have; each at most once.
    private static Set<String> answered(TestFleet fleet, boolean isFinal) {
        Set<String> calls = new HashSet<>();
        return fleet.first(Topic.RESULT, record -> {
            ToolResult result = TestFleet.result(record);
            if (result.isFinal() == isFinal && !result.replayed()) {
                assertThat(calls.add(result.toolCallId())).as("%s has one result", result.toolCallId()).isTrue();
                if (isFinal)
                    assertThat("c" + requireNonNull(result.output()).asInt()).isEqualTo(result.toolCallId());
            }
            return calls.size() == HANDLES ? Optional.of(calls) : Optional.empty();
        });
    }
}
