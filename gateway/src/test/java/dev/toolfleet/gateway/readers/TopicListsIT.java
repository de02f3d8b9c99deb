package dev.toolfleet.gateway.readers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class TopicListsIT {
    private static final int PARTITIONS = 3;
    private final Instant now = Instant.now();

    @SuppressWarnings("NullAway.Init")
    private Topics topics;
    @SuppressWarnings("NullAway.Init")
    private KafkaProducer<byte[], byte[]> producer;
    @SuppressWarnings("NullAway.Init")
    private TopicLists lists;
    private final ResourceTable table = new ResourceTable();

    @BeforeEach
    void start(KafkaFixture kafka) {
        topics = new Topics(kafka.prefix());
        for (Topic topic : Topic.values())
            kafka.create(topic.baseName(), topic.group() == Topic.Group.SINGLE ? 1 : PARTITIONS, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
        lists = new TopicLists(ClientConfig.of(kafka.bootstrapServers()).on(topics), BundleTrust.ALL,
                ServiceAddresses.NONE);
    }

    @AfterEach
    void stop() {
        lists.close();
        producer.close();
    }

    private void write(Topic topic, @Nullable Integer partition, String key, byte @Nullable [] value,
            Map<String, String> headers) {
        Iterable<Header> all = KafkaHeaders.of(headers);
        try {
            producer.send(new ProducerRecord<>(topics.name(topic), partition, key.getBytes(StandardCharsets.UTF_8),
                    value, all)).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T found(Answer<T> answer) {
        return switch (answer) {
            case Answer.Found<T>(T value) -> value;
            case Answer.Unknown<T>(String reason) -> throw new AssertionError("unknown: " + reason);
            case Answer.Unavailable<T>(String reason) -> throw new AssertionError("unavailable: " + reason);
        };
    }

    private void error(int partition, String instance, String tool) {
        ToolErrorEvent event = new ToolErrorEvent("c", tool, null, ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "late"),
                instance, "coder", "t", "s", null, null, 1, null, null, null, null, null, false, null, "w1", now);
        write(Topic.ERROR, partition, instance, WireCodec.of(ToolErrorEvent.class).write(event), Map.of());
    }

    private static ErrorFilter all() {
        return new ErrorFilter(Instant.EPOCH, null, null, null, null, error -> true);
    }

    @Test
    void errorsAreReadPageByPageEachOnce() {
        for (int i = 0; i < 30; i++)
            error(i % PARTITIONS, "i" + i, "t__e");
        write(Topic.ERROR, 0, "x", "no event".getBytes(StandardCharsets.UTF_8), Map.of());
        List<String> seen = new ArrayList<>();
        TopicPosition after = null;
        ErrorPage page;
        do {
            page = found(lists.errors(all(), after, 7));
            assertThat(page.errors().size()).isLessThanOrEqualTo(7);
            page.errors().forEach(error -> seen.add(error.instanceKey()));
            after = TopicPosition.parse(page.next().toString());
        } while (!page.complete());

        assertThat(seen).hasSize(30).doesNotHaveDuplicates();
        error(1, "later", "t__e");
        ErrorPage next = found(lists.errors(all(), after, 7));
        assertThat(next.errors()).extracting(ToolErrorEvent::instanceKey).containsExactly("later");
        assertThat(found(lists.errors(all(), next.next(), 7)).errors()).isEmpty();
        ErrorFilter some = new ErrorFilter(Instant.EPOCH, null, Glob.of("other__*"), null, null, error -> true);
        assertThat(found(lists.errors(some, null, 7)).errors()).isEmpty();
    }

    @Test
    void aPositionOutsideOfTheLogContinuesAtItsEnd() {
        error(0, "i", "t__e");

        ErrorPage page = found(lists.errors(all(), TopicPosition.parse("0-1000000.1-5.2-5"), 10));

        assertThat(page.errors()).isEmpty();
        assertThat(page.complete()).isTrue();
        assertThat(page.next().offsets().get(0)).isEqualTo(1);
    }

    @Test
    void declarationsAreFollowedFromTheirBeginning() {
        apply("acme", tool("a", "x"), agent("coder", "Tool/a"));
        lists.start();
        assertThat(lists.resources().agent("coder")).isPresent();

        apply("acme", tool("a", "x"), agent("coder", "Tool/a"), agent("planner", "Tool/a"));

        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> lists.resources().agent("planner").isPresent());
    }

    private void apply(String bundle, ObjectNode... resources) {
        List<RevisionPlan.Entry> entries = RevisionPlan.of(bundle,
                Stream.of(resources).map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList(), table)
                .entries();
        entries.forEach(entry -> {
            table.apply(entry.key(), entry.value());
            write(Topic.RESOURCE, 0, entry.key(), entry.value() == null
                    ? null
                    : WireCodec.of(ResourceRecord.class).write(entry.value()), Map.of());
        });
    }

    private static ObjectNode tool(String name, String export) {
        ObjectNode tool = resource("Tool", name);
        tool.putObject("spec").put("entry", "java:com.acme.Some").putArray("exports").addObject().put("name", export)
                .put("description", "does it");
        return tool;
    }

    private static ObjectNode agent(String name, String ref) {
        ObjectNode agent = resource("Agent", name);
        agent.putObject("spec").putArray("tools").addObject().put("ref", ref);
        return agent;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }

    @Test
    void openApprovalsAndDeadLettersAreThoseOfTheTopics() {
        for (String handle : List.of("h-1", "h-2")) {
            ToolCall call = ToolCall.of("c", "rm", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t", "s", 0);
            PendingCall pending = new PendingCall(handle, PendingCall.Kind.APPROVAL, call, 0, 1, null, null,
                    now.plusSeconds(600), null, null, now, null,
                    new Approval("acme/p/r", List.of("acme/p/r"), "Look.", "sha256:aa", "sha256:bb"));
            write(Topic.PENDING, null, handle, WireCodec.of(PendingCall.class).write(pending), Map.of());
        }
        write(Topic.PENDING, null, "h-1", null, Map.of());
        for (String reason : List.of("late", "malformed: not JSON"))
            write(Topic.DEAD_LETTER, 0, "i", new byte[]{1}, Map.of(WireHeaders.REASON, reason, WireHeaders.ORIGIN,
                    "tool.call/0/1"));

        assertThat(found(lists.approvals(open -> true))).extracting(open -> open.handle()).containsExactly("h-2");
        LetterPage letters = found(lists.letters(LetterFilter.ALL, false, 1));
        assertThat(letters.letters()).extracting(letter -> letter.kind()).containsExactly("malformed");
        assertThat(letters.older()).isEqualTo(1);
    }

    @Test
    void positionsAreReadAsTheyWereWritten() {
        assertThat(TopicPosition.parse("0-7.12-0")).hasToString("0-7.12-0");
        for (String text : new TreeSet<>(List.of("", "0", "0-", "00-1", "0-1.0-2", "a-1", "0-1.", "1-0x")))
            assertThatThrownBy(() -> TopicPosition.parse(text)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no position");
    }
}
