package dev.toolfleet.worker.tools.bash;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CappedOutputTest {
    private static final int CAP = 1 << 20;

    /// Always has something, a little at a time, as one that escaped and goes on writing.
    private static final class Endless extends InputStream {
        @Override
        public int available() {
            return 1;
        }

        @Override
        public int read() {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            return 'y';
        }

        @Override
        public int read(byte[] into, int from, int most) {
            into[from] = (byte) read();
            return 1;
        }
    }

    @Test
    void whatIsLeftIsReadToItsEnd() {
        CappedOutput output = new CappedOutput(new ByteArrayInputStream("all of it".getBytes(StandardCharsets.UTF_8)),
                CAP, "stdout");

        output.finish(Duration.ofMinutes(1));

        assertThat(output.text()).isEqualTo(new CappedOutput.Text("all of it", false));
    }

    @Test
    void whatIsGivenUpIsSaidToBeCutOff() {
        CappedOutput output = new CappedOutput(new Endless(), CAP, "stdout");

        output.finish(Duration.ofMillis(50));

        assertThat(output.text().truncated()).isTrue();
        assertThat(output.text().text()).hasSizeLessThan(CAP);
    }
}
