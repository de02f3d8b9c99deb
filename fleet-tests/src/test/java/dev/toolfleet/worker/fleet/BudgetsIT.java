package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Budgets on a real broker: exact for turns and instances, also at the next owner; for users over all workers, with an
/// excess of at most what is in flight.
@EmbeddedKafkaTest
class BudgetsIT {
    private static final int LIMIT = 40;
    /// Instances of one user, each of which has at most one call in flight.
    private static final int INSTANCES = 16;
    private static final int ROUNDS = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private int calls;

    private static HandMade bundle(TestFleet fleet, String... budgets) {
        ObjectNode tool = TestResources.tool("t", TestTools.class, "write", "echo");
        TestResources.export(tool, "echo").putObject("annotations").put("readOnly", true);
        List<ObjectNode> all = new ArrayList<>(List.of(tool, TestResources.agent(HandMade.AGENT, "Tool/t")));
        for (int i = 0; i < budgets.length; i++) {
            ObjectNode budget = TestResources.resource("EffectBudget", "b" + i);
            budget.set("spec", Json.MAPPER.readTree(budgets[i].replace('\'', '"')));
            all.add(budget);
        }
        return new HandMade(fleet).apply(all.toArray(ObjectNode[]::new));
    }

    private static ToolCall call(String id, String tool, String instance, String tag, int millis) {
        return HandMade.call(id, tool, instance, "s1", 0, Map.of("tag", tag, "ms", millis));
    }

    private String outcome(TestFleet fleet, String tool, String instance) {
        ToolCall call = call("c" + ++calls, tool, instance, fleet.group(), 0);
        fleet.send(call);
        return code(fleet.result(call, ToolResult::isFinal));
    }

    private static String code(ToolResult result) {
        return result.status() == ResultStatus.OK ? "ok" : requireNonNull(result.error()).code();
    }

    @Test
    void amountsOfTurnsInstancesAndAgentsOutliveTheirWorker(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s")) {
            HandMade hand = bundle(fleet, "{'per':'instance','calls':3,'tool':'t__write'}",
                    "{'per':'turn','calls':2,'tool':'t__echo'}", "{'per':'agent','calls':6,'tool':'*'}");
            for (String instance : List.of("i", "other"))
                hand.step(instance, "s1", 0, hand.content(hand.items()));
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(3));
                assertThat(outcome(fleet, "t__write", "i")).isEqualTo("ok");
                assertThat(outcome(fleet, "t__write", "i")).isEqualTo("ok");
                assertThat(outcome(fleet, "t__echo", "i")).isEqualTo("ok");
                first.kill();
            }
            fleet.worker("w2");

            assertThat(outcome(fleet, "t__write", "i")).as("the third of its instance").isEqualTo("ok");
            assertThat(outcome(fleet, "t__write", "i")).isEqualTo("E_TOOL_BUDGET_EXHAUSTED");
            assertThat(outcome(fleet, "t__echo", "i")).as("the second of its turn").isEqualTo("ok");
            assertThat(outcome(fleet, "t__echo", "i")).isEqualTo("E_TOOL_BUDGET_EXHAUSTED");
            assertThat(outcome(fleet, "t__write", "other")).as("the sixth of its agent").isEqualTo("ok");
            assertThat(outcome(fleet, "t__write", "other")).as("of another instance and partition")
                    .isEqualTo("E_TOOL_BUDGET_EXHAUSTED");
        }
    }

    /// Each instance of the user calls again once its last result can be read, so it has at most one call in flight.
    @Test
    void aUserExceedsTheLimitByAtMostWhatIsInFlightAtTheOtherWorker(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            HandMade hand = bundle(fleet, "{'per':'user','calls':" + LIMIT + ",'tool':'t__write'}");
            String content = hand.content(hand.items());
            List<String> instances = IntStream.range(0, INSTANCES).mapToObj(n -> "i" + n).toList();
            instances.forEach(instance -> hand.step(instance, "s1", 0, content));
            fleet.worker("w1");
            fleet.worker("w2");
            await().atMost(Duration.ofMinutes(2)).until(() -> everyMemberHasOnePartition(kafka, fleet));
            long mostInFlight = instances.stream().collect(Collectors.groupingBy(fleet::partition,
                    Collectors.counting())).values().stream().mapToLong(Long::longValue).max().orElseThrow();
            List<Integer> excesses = new ArrayList<>();
            try (KafkaConsumer<byte[], byte[]> results = reader(kafka, fleet)) {
                for (int round = 0; excesses.size() < ROUNDS; round++) {
                    LocalDate day = LocalDate.now(ZoneOffset.UTC);
                    int excess = spent(fleet, results, instances, "user" + round) - LIMIT;
                    // Over midnight a user has two amounts.
                    if (LocalDate.now(ZoneOffset.UTC).equals(day))
                        excesses.add(excess);
                }
            }

            System.out.println("A limit of " + LIMIT + " calls of a user over two workers was exceeded by " + excesses
                    + " calls in " + ROUNDS + " rounds; at most " + mostInFlight + " were in flight at one worker.");
            assertThat(excesses).as("no call is refused what is left, and none beyond what is in flight starts")
                    .allSatisfy(excess -> assertThat(excess).isBetween(0, (int) mostInFlight));
            String key = "/@budget/calls/acme/b0/user:";
            assertThat(fleet.all(Topic.BUDGET)).isNotEmpty().allSatisfy(record -> assertThat(
                    new String(record.key(), StandardCharsets.UTF_8))
                    .matches("[01]" + key + "\\d{4}-\\d\\d-\\d\\d/.*"));
        }
    }

    /// Calls in all instances until each is refused. Returns how many calls began.
    private int spent(TestFleet fleet, KafkaConsumer<byte[], byte[]> results, List<String> instances, String user) {
        int began = 0;
        Set<String> open = new HashSet<>(instances);
        instances.forEach(instance -> fleet.send(next(instance, user)));
        Instant until = Instant.now().plus(Duration.ofMinutes(2));
        while (!open.isEmpty()) {
            assertThat(Instant.now()).as("instances that have no answer: %s", open).isBefore(until);
            for (ConsumerRecord<byte[], byte[]> record : results.poll(Duration.ofMillis(100))) {
                ToolResult result = TestFleet.result(record);
                switch (code(result)) {
                    case "ok" -> {
                        began++;
                        fleet.send(next(result.instanceKey(), user));
                    }
                    case "E_TOOL_BUDGET_EXHAUSTED" -> open.remove(result.instanceKey());
                    default -> throw new AssertionError(result.toString());
                }
            }
        }
        return began;
    }

    private ToolCall next(String instance, String user) {
        return call("c" + ++calls, "t__write", instance, user, 20).forCaller(user, null);
    }

    private static KafkaConsumer<byte[], byte[]> reader(KafkaFixture kafka, TestFleet fleet) {
        KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(kafka.consumerProperties("reader"),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = IntStream.range(0, fleet.partitions)
                .mapToObj(partition -> new TopicPartition(fleet.topics.name(Topic.RESULT), partition)).toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        return reader;
    }

    private static boolean everyMemberHasOnePartition(KafkaFixture kafka, TestFleet fleet)
            throws ExecutionException, InterruptedException {
        Collection<MemberDescription> members = kafka.admin().describeConsumerGroups(List.of(fleet.group())).all().get()
                .values().iterator().next().members();
        return members.size() == 2 && members.stream().allMatch(member -> member.assignment().topicPartitions().stream()
                .map(TopicPartition::partition).distinct().count() == 1);
    }
}
