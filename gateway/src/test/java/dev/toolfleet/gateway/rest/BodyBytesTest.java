package dev.toolfleet.gateway.rest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BodyBytesTest {
    private static final int MOST = 100_000;
    private static final Duration LONG = Duration.ofMinutes(1);

    /// Body that notes the room that was there for each part of it.
    private static final class Noted extends InputStream {
        private final InputStream bytes;
        private final List<Integer> rooms = new ArrayList<>();
        private final int part;

        Noted(byte[] bytes, int part) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.part = part;
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            rooms.add(length);
            return bytes.read(into, at, Math.min(length, part));
        }
    }

    @Test
    void anAnnouncedLengthCostsNoMemoryBeforeItHasCome() {
        Noted silent = new Noted(new byte[0], 1);

        assertThat(BodyBytes.read(() -> silent, MOST, MOST, LONG)).isEmpty();
        assertThat(silent.rooms).containsExactly(BodyBytes.CHUNK);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BodyBytes.CHUNK - 1, BodyBytes.CHUNK, BodyBytes.CHUNK + 1, 2 * BodyBytes.CHUNK, MOST})
    void aBodyIsReadWholeWithAndWithoutItsLength(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        for (int part : new int[]{7, 5000, MOST}) {
            for (long announced : new long[]{-1, length}) {
                InputStream source = new Noted(body, part);

                assertThat(BodyBytes.read(() -> source, announced, MOST, LONG)).isEqualTo(body);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 10, MOST + 1, Long.MAX_VALUE})
    void aBodyBeyondTheMostIsRefusedWhateverWasAnnounced(long announced) {
        Noted large = new Noted(new byte[MOST + 1], MOST);

        assertThatThrownBy(() -> BodyBytes.read(() -> large, announced, MOST, LONG))
                .isInstanceOf(ProblemException.class).hasMessage("TOO_LARGE");
        assertThat(large.rooms).allMatch(room -> room <= MOST + 1);
    }

    @Test
    void aBodyThatComesTooSlowlyIsRefused() {
        assertThatThrownBy(() -> BodyBytes.read(() -> new Noted(new byte[10], 1), 10, MOST, Duration.ofNanos(-1)))
                .isInstanceOf(ProblemException.class).hasMessage("TOO_SLOW");
    }
}
