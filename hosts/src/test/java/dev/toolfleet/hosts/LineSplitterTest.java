package dev.toolfleet.hosts;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LineSplitterTest {
    private static final int LONGEST = 10;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void linesAreTheSameHoweverTheyAreRead(int step) throws IOException {
        assertThat(split("one\n\n0123456789\nlast", step)).containsExactly("one", "", "0123456789", "last");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100})
    void aLineThatIsTooLongIsCutAndTheNextOneIsWhole(int step) throws IOException {
        assertThat(split("0123456789x\ntwo\n" + "y".repeat(1_000), step)).containsExactly("long 0123456789x", "two",
                "long " + "y".repeat(LineSplitter.SHOWN));
    }

    private static List<String> split(String text, int step) throws IOException {
        List<String> lines = new ArrayList<>();
        new LineSplitter(LONGEST, new LineSplitter.Sink() {
            @Override
            public void line(byte[] bytes, int from, int length) {
                lines.add(new String(bytes, from, length, StandardCharsets.UTF_8));
            }

            @Override
            public void tooLong(String beginning) {
                lines.add("long " + beginning);
            }
        }).readAll(slow(text, step));
        return lines;
    }

    private static InputStream slow(String text, int step) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] into, int from, int length) {
                return super.read(into, from, Math.min(length, step));
            }
        };
    }
}
