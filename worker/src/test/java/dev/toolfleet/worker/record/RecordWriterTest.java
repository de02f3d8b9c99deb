package dev.toolfleet.worker.record;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topics;
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

    private static String time(RecordWriter writer) {
        return String.valueOf(writer.headers(EventType.TOOL_ERROR, "subject").get("ce_time"));
    }
}
