package dev.toolfleet.hosts;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import dev.toolfleet.hosts.HostReply.NotSent;
import dev.toolfleet.hosts.HostRequest.Listener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostWriterTest {
    private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
    private final HostWriter writer = new HostWriter(new OutputStream() {
        @Override
        public void write(int one) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            new String(bytes, from, length, StandardCharsets.UTF_8).lines().forEach(written::add);
        }
    }, "test");
    private long ids;

    @BeforeEach
    void start() {
        writer.limit(2);
        writer.start();
    }

    @AfterEach
    void stop() {
        writer.stop();
    }

    @Test
    void aCallWaitsUntilAnotherHasEnded() throws Exception {
        HostRequest first = call("a");
        call("b");
        call("c");
        assertThat(List.of(written.take(), written.take())).containsExactly("a", "b");
        assertThat(writer.atHost()).isEqualTo(2);
        assertThat(writer.open()).isEqualTo(3);
        message("m");
        assertThat(written.take()).as("a message passes the call that waits").isEqualTo("m");

        assertThat(first.release()).isTrue();
        writer.free(1);
        assertThat(written.take()).isEqualTo("c");
        assertThat(first.release()).as("room is freed once").isFalse();
    }

    @Test
    void aCallThatWaitsIsWithdrawnAndNeverWritten() throws Exception {
        HostRequest first = call("a");
        call("b");
        HostRequest waits = call("c");
        call("d");
        assertThat(writer.withdraw(waits)).isTrue();
        assertThat(writer.withdraw(waits)).isFalse();
        assertThat(List.of(written.take(), written.take())).containsExactly("a", "b");
        assertThat(writer.withdraw(first)).as("it was written").isFalse();
        writer.free(1);
        assertThat(written.take()).isEqualTo("d");
        assertThat(waits.release()).as("it never had room").isFalse();
    }

    @Test
    void aCallThatWasAnsweredBeforeItWasWrittenTakesNoRoom() throws Exception {
        call("a");
        call("b");
        HostRequest answered = call("c");
        call("d");
        answered.end(new NotSent("answered too soon"));
        assertThat(List.of(written.take(), written.take())).containsExactly("a", "b");
        writer.free(1);
        assertThat(written.take()).isEqualTo("d");
        assertThat(writer.atHost()).isEqualTo(2);
    }

    @Test
    void stopNamesWhatWasNotWritten() throws Exception {
        call("a");
        call("b");
        HostRequest waits = call("c");
        assertThat(List.of(written.take(), written.take())).containsExactly("a", "b");
        assertThat(writer.stop()).containsExactly(waits);
        assertThat(writer.call(line("d"), request())).isFalse();
        assertThat(writer.write(line("m"), null)).isFalse();
    }

    private HostRequest call(String text) {
        HostRequest request = request();
        assertThat(writer.call(line(text), request)).isTrue();
        return request;
    }

    private void message(String text) {
        assertThat(writer.write(line(text), null)).isTrue();
    }

    private HostRequest request() {
        return new HostRequest(++ids, Listener.NONE);
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
