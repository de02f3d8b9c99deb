package dev.toolfleet.worker.record;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordWriterTest {
    @Test
    void theTimeOfARecordIsThatOfItsWritingInMilliseconds() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-31T12:00:00.123456Z"));
        RecordWriter writer = new RecordWriter(new Topics(""), "w1", now::get);

        assertThat(time(writer)).isEqualTo("2026-01-31T12:00:00.123Z");
        assertThat(time(writer)).isEqualTo("2026-01-31T12:00:00.123Z");
        now.set(Instant.parse("2026-01-31T12:00:00.124Z"));
        assertThat(time(writer)).isEqualTo("2026-01-31T12:00:00.124Z");
        now.set(Instant.parse("2026-01-31T11:59:59Z"));
        assertThat(time(writer)).isEqualTo("2026-01-31T11:59:59Z");
    }

    @Test
    void headersAreThoseOfACloudEventAndTheTrace() {
        RecordWriter writer = new RecordWriter(new Topics(""), "w1", () -> Instant.parse("2026-01-31T12:00:00.123Z"));
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        for (EventType type : EventType.values()) {
            Map<String, String> event = WireHeaders.cloudEvent(type, "3-7", "/toolfleet/worker/w1", "ü",
                    Instant.parse("2026-01-31T12:00:00.123Z"), parent);
            event.put("tracestate", "a=b");

            assertThat(texts(writer.headers(type, new Position(3, 1, 7), "ü", TraceContext.of(parent, "a=b"))))
                    .containsExactlyEntriesOf(event);
        }
    }

    @Test
    void aRecordOfAResumedCallHasAnotherIdThanThatOfACall() {
        assertThat(RecordWriter.id(new Position(3, 1, 7))).isEqualTo("3-7");
        assertThat(RecordWriter.id(Position.resumed(3, 1, 7))).isEqualTo("3-7-resumed");
    }

    private static Map<String, String> texts(HeaderList headers) {
        Map<String, String> texts = new LinkedHashMap<>();
        headers.kafka().forEach(header -> texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return texts;
    }

    private static @Nullable String time(RecordWriter writer) {
        return texts(writer.headers(EventType.TOOL_ERROR, "subject")).get("ce_time");
    }
}
