package dev.toolfleet.worker.egress;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import dev.toolfleet.worker.egress.ClientHello.Incomplete;
import dev.toolfleet.worker.egress.ClientHello.Named;
import dev.toolfleet.worker.egress.ClientHello.NotTls;
import dev.toolfleet.worker.egress.ClientHello.Unnamed;
import dev.toolfleet.worker.egress.ClientHello.Unreadable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class ClientHelloTest {
    private static final String HOST = "ok.example";

    @Test
    void theServersNameIsFound() throws Exception {
        assertThat(read(Hellos.named(HOST))).isEqualTo(new Named(HOST));
        assertThat(read(Hellos.unnamed())).isEqualTo(new Unnamed());
    }

    @Test
    void aMessageInManyRecordsIsTheSame() throws Exception {
        byte[] hello = Hellos.named(HOST);

        for (int size : new int[]{1, 3, 4, 100})
            assertThat(read(Hellos.inRecords(hello, size))).as("records of %s bytes", size).isEqualTo(new Named(HOST));
    }

    @Test
    void everyBeginningIsIncompleteAndWhatFollowsChangesNothing() throws Exception {
        byte[] hello = Hellos.inRecords(Hellos.named(HOST), 100);

        for (int end = 0; end < hello.length; end++)
            assertThat(read(Arrays.copyOf(hello, end))).isEqualTo(new Incomplete());
        assertThat(read(Arrays.copyOf(hello, hello.length + 10))).isEqualTo(new Named(HOST));
    }

    @Test
    void otherProtocolsAreNotTls() {
        assertThat(read("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII))).isEqualTo(new NotTls());
        assertThat(read("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII))).isEqualTo(new NotTls());
    }

    @Test
    void whatBeginsLikeTlsAndIsNoHelloIsUnreadable() throws Exception {
        byte[] old = Hellos.named(HOST);
        old[1] = 2;
        byte[] other = Hellos.named(HOST);
        other[5] = 2;
        byte[] overlong = Hellos.named(HOST);
        // The length of the session's id.
        overlong[5 + 4 + 34] = (byte) 255;
        byte[] interrupted = Hellos.inRecords(Hellos.named(HOST), 100);
        interrupted[105] = 23;

        for (byte[] bad : new byte[][]{old, other, interrupted, twice(Hellos.named(HOST))})
            assertThat(read(bad)).isEqualTo(new Unreadable());
        assertThat(read(overlong)).isNotInstanceOf(Named.class);
    }

    @Test
    void noBytesAreTooStrangeToBeRead() throws Exception {
        byte[] hello = Hellos.named(HOST);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = Arrays.copyOf(hello, 1 + random.nextInt(hello.length));
            for (int times = random.nextInt(8); times >= 0; times--)
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            assertThatCode(() -> read(changed)).doesNotThrowAnyException();
        }
    }

    /// With the extension of the name a second time, at the end.
    private static byte[] twice(byte[] hello) {
        byte[] name = HOST.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer more = ByteBuffer.allocate(hello.length + name.length + 9).put(hello);
        more.putShort((short) 0).putShort((short) (name.length + 5)).putShort((short) (name.length + 3)).put((byte) 0)
                .putShort((short) name.length).put(name);
        int added = name.length + 9;
        int extensions = 5 + 4 + 34;
        extensions += 1 + hello[extensions];
        extensions += 2 + more.getShort(extensions);
        extensions += 1 + hello[extensions];
        for (int at : new int[]{3, 7, extensions})
            more.putShort(at, (short) (more.getShort(at) + added));
        return more.array();
    }

    private static ClientHello read(byte[] bytes) {
        return ClientHello.read(ByteBuffer.wrap(bytes));
    }
}
