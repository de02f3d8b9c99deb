package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SessionsTest {
    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(true, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final Sessions sessions = new Sessions(
            ClientConfig.of("nowhere:9092").named("run-7").on(new Topics("acme.")),
            producer);

    @AfterEach
    void close() {
        sessions.close();
    }

    @Test
    void everyKindIsSentByTheInstancesKey() {
        sessions.append("i", "a", message("hello"));
        sessions.replace("i", "a", "m", message("there"));
        sessions.remove("i", "a", "m");
        sessions.truncate("i", "a");
        sessions.lease("i", "a", Duration.ofSeconds(30));
        sessions.send(MessageEvent.append("i", "a", message("x"), "run-7").expecting(4).under(2));

        assertThat(producer.history()).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("acme.session.message");
            assertThat(new String(record.key(), UTF_8)).isEqualTo("i");
        });
        List<MessageEvent> events = producer.history().stream()
                .map(record -> WireCodec.of(MessageEvent.class).read(record.value())).toList();
        assertThat(events).extracting(MessageEvent::type).containsExactly(MessageEvent.Type.APPEND,
                MessageEvent.Type.REPLACE, MessageEvent.Type.REMOVE, MessageEvent.Type.TRUNCATE,
                MessageEvent.Type.LEASE,
                MessageEvent.Type.APPEND);
        assertThat(events).extracting(MessageEvent::by).containsOnly("run-7");
        assertThat(events.get(4).leaseMs()).isEqualTo(30_000);
        assertThat(events.getLast().expectedSeq()).isEqualTo(4);
        assertThat(events.getLast().token()).isEqualTo(2);
    }

    @Test
    void messageOfFiveMegabytesIsRefusedWithItsSize() {
        assertThatIllegalArgumentException().isThrownBy(() -> sessions.append("i", "a", message("x".repeat(5_000_000))))
                .withMessageContaining("for instance 'i' has 5000").withMessageContaining("at most 1040396");
        assertThat(producer.history()).isEmpty();
    }

    private static SessionMessage message(String text) {
        return new SessionMessage("m-" + text.length(), Json.MAPPER.createObjectNode().put("role", "user")
                .put("content", text), null, Instant.EPOCH, MessageSource.of(MessageSource.Type.USER));
    }
}
