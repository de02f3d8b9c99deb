package dev.toolfleet.streams;

import java.nio.charset.StandardCharsets;
import java.util.stream.StreamSupport;

import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLettersTest {
    private final DeadLetters letters = new DeadLetters("/toolfleet/test");

    @Test
    void aLetterIsTheRecordAsItCameWithTheReasonInHeaders() {
        Headers headers = new RecordHeaders().add("own", utf8("kept")).add(WireHeaders.REASON, utf8("earlier"));
        Record<byte[], byte[]> record = new Record<>(utf8("key"), utf8("value"), 7, headers);

        Record<byte[], Outgoing> letter = letters.of(record, "tool.completion/3/9", "late");

        assertThat(letter.key()).isSameAs(record.key());
        assertThat(letter.value()).isEqualTo(Outgoing.anywhere(record.value()));
        assertThat(letter.timestamp()).isEqualTo(7);
        assertThat(texts(letter.headers())).containsExactly("own=kept", WireHeaders.REASON + "=late",
                WireHeaders.ORIGIN + "=tool.completion/3/9", WireHeaders.WORKER + "=/toolfleet/test");
        assertThat(texts(record.headers())).hasSize(2);
    }

    @Test
    void aLongReasonIsCut() {
        Record<byte[], byte[]> record = new Record<>(utf8("key"), utf8("value"), 7);

        Header reason = letters.of(record, "t/0/0", "x".repeat(1000)).headers().lastHeader(WireHeaders.REASON);

        assertThat(reason.value()).hasSize(500);
    }

    private static String[] texts(Headers headers) {
        return StreamSupport.stream(headers.spliterator(), false)
                .map(header -> header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8))
                .toArray(String[]::new);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
