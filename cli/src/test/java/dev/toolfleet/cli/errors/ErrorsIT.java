package dev.toolfleet.cli.errors;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet errors` over a topic as a fleet writes it.
@EmbeddedKafkaTest
class ErrorsIT {
    private static final int MANY = 20_000;
    private static final WireCodec<ToolErrorEvent> CODEC = WireCodec.of(ToolErrorEvent.class);

    private final KafkaFixture kafka;
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();
    private final Queue<Exception> refused = new ConcurrentLinkedQueue<>();

    ErrorsIT(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    @Test
    void thousandsOfErrorsAreCountedExactly() throws Exception {
        kafka.create(Topic.ERROR.baseName(), 3, Topic.ERROR.config());
        Instant now = Instant.now();
        try (var producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < MANY; i++)
                send(producer, "E_" + i % 4, "tool" + i % 10 + "__run", "i" + i % 100, now.minusSeconds(i % 1800));
            // Written before what was asked for, as its timestamp says.
            send(producer, "E_OLD", "tool0__run", "i", now.minusSeconds(86_400));
            var _ = producer.send(new ProducerRecord<>(kafka.topic(Topic.ERROR.baseName()),
                    "no event".getBytes(StandardCharsets.UTF_8)));
            producer.flush();
        }
        assertThat(refused).as("what the broker did not take").isEmpty();

        assertThat(run("errors", "--json")).as(err.toString()).isZero();
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("errors").longValue()).isEqualTo(MANY);
        assertThat(json.path("unreadable").longValue()).isEqualTo(1);
        assertThat(json.path("groups").valueStream().map(group -> group.path("code").asString() + " "
                + group.path("count").longValue() + " " + group.path("share").doubleValue()))
                .containsExactly("E_0 5000 0.25", "E_1 5000 0.25", "E_2 5000 0.25", "E_3 5000 0.25");
        assertThat(json.at("/groups/0/example/toolCallId").asString()).isNotEmpty();

        assertThat(run("errors", "--by", "tool", "--tool", "tool3__*", "--since", "2d")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("tool3__run", "2000", "100.0", "2000 errors");
        assertThat(err.toString()).contains("1 records of " + kafka.topic("tool.error") + " are no error events");
        assertThat(run("errors", "--since", "2d", "--until", "1h")).isZero();
        assertThat(out.toString()).contains("E_OLD", "1 error from").doesNotContain("E_1");
    }

    @Test
    void whatCannotBeUsedIsRefused() {
        kafka.create(Topic.ERROR.baseName(), 1, Topic.ERROR.config());

        assertThat(run("errors", "--since", "yesterday")).isEqualTo(2);
        assertThat(err.toString()).contains("'yesterday' is neither a time ago", "2026-11-21T20:00:00Z");
        assertThat(run("errors", "--since", "1h", "--until", "2h")).isEqualTo(2);
        assertThat(err.toString()).contains("is not before --until");
        assertThat(run("errors", "--tool", "bash exec")).isEqualTo(2);
        assertThat(err.toString()).contains("--tool 'bash exec'", "'bash__*'");
        assertThat(run("errors", "--by", "worker")).isEqualTo(2);
        assertThat(err.toString()).containsIgnoringCase("'worker'").containsIgnoringCase("agent");
        assertThat(run("errors", "--limit", "0")).isEqualTo(2);
        assertThat(run("errors")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("no errors from");
    }

    private void send(KafkaProducer<byte[], byte[]> producer, String code, String tool, String instance, Instant at) {
        ToolErrorEvent event = new ToolErrorEvent("call_1", tool, null,
                new ToolError(code, "ToolError", "It failed.", "Try another one.", null), instance, "coder", "t", "s",
                null, null, 1, null, "sha256:00", null, null, null, false, null, "w1", at);
        var _ = producer.send(new ProducerRecord<>(kafka.topic(Topic.ERROR.baseName()), null, at.toEpochMilli(),
                instance.getBytes(StandardCharsets.UTF_8), CODEC.write(event)), (_, failure) -> {
                    if (failure != null)
                        refused.add(failure);
                });
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
