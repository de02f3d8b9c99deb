package dev.toolfleet.mcp.rpc;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StreamReadersTest {
    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> lines(String text, int maxBytes) throws IOException {
        LineReader reader = new LineReader(stream(text), maxBytes);
        List<String> lines = new ArrayList<>();
        for (Line line = reader.next(); line != null; line = reader.next()) {
            lines.add(switch (line) {
                case Line.Whole(byte[] bytes) -> new String(bytes, StandardCharsets.UTF_8);
                case Line.TooLong(RpcId id, long bytes) -> (id == null ? "?" : id.json()) + " of " + bytes;
            });
        }
        return lines;
    }

    @Test
    void linesEndInAnyWayAndEmptyOnesArePassedOver() throws IOException {
        assertThat(lines("a\r\n\n\r\nb\nc", 100)).containsExactly("a", "b", "c");
    }

    @Test
    void aLineAboveTheLimitLeavesItsIdAndTheNextLine() throws IOException {
        String before = "{\"id\":7,\"result\":\"" + "x".repeat(50) + "\"}";
        String behind = "{\"result\":{\"id\":1,\"a\":\"" + "x".repeat(50) + "\"},\"id\":\"seven\"}";
        assertThat(lines(before + "\n" + behind + "\n" + "y".repeat(21) + "\nnext\n", 20)).containsExactly(
                "7 of " + before.length(), "\"seven\" of " + behind.length(), "? of 21", "next");
    }

    @Test
    void aLineWithoutAnEndEndsTheStream() {
        assertThatThrownBy(() -> lines("x".repeat(20 * (LineReader.LONGEST + 3)), 20)).isInstanceOf(EOFException.class)
                .hasMessageStartingWith("a line does not end within");
    }

    @Test
    void eventsAreReadWithIdAndWait() throws IOException {
        SseReader reader = new SseReader(stream("\uFEFF: note\nretry: 1500\nid: 1\nevent: x\ndata: a\ndata:b\n\n"
                + "data\r\rdata: cut"), 1_000);
        assertThat(reader.next()).isEqualTo(new SseEvent("x", "a\nb", "1"));
        assertThat(reader.retry()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(reader.next()).isEqualTo(new SseEvent("message", "", "1"));
        assertThat(reader.next()).isNull();
    }

    @Test
    void anEventAboveTheLimitEndsTheStream() {
        assertThatThrownBy(() -> new SseReader(stream("data: " + "x".repeat(200) + "\n\n"), 100).next())
                .isInstanceOf(SseReader.EventTooLarge.class);
        assertThatThrownBy(() -> new SseReader(stream("data: xxxxxxxxxx\n".repeat(20) + "\n"), 100).next())
                .isInstanceOf(SseReader.EventTooLarge.class).hasMessage("an event has more than 100 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "Köln", " led", "", "=?base64?eA==?=", "line\nbreak"})
    void aTextTravelsInAHeader(String text) {
        String header = HeaderText.encode(text);

        assertThat(header).matches("[ -~]+").doesNotStartWith(" ");
        assertThat(HeaderText.decode(header)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=?base64?###?=", "=?base64?/w==?=", "Köln"})
    void aMalformedHeaderHasNoText(String header) {
        assertThat(HeaderText.decode(header)).isNull();
    }
}
