package dev.toolfleet.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DigestsTest {
    /// From FIPS 180-2, appendix B.1.
    private static final String OF_ABC = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void computationsKnowNothingOfEachOther() {
        MessageDigest first = Digests.newSha256();
        first.update((byte) 'a');
        MessageDigest second = Digests.newSha256();
        second.update("abc".getBytes(StandardCharsets.UTF_8));
        first.update("bc".getBytes(StandardCharsets.UTF_8));

        assertThat(Digests.of(first.digest())).isEqualTo(OF_ABC);
        assertThat(Digests.of(second.digest())).isEqualTo(OF_ABC);
        assertThat(Digests.sha256("abc")).isEqualTo(OF_ABC);
    }

    @Test
    void threadsThatShareComputationsGetTheirOwnDigests() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<Boolean>> checks = IntStream.range(0, 400).<Callable<Boolean>>mapToObj(number -> () -> {
                byte[] text = ".".repeat(number).getBytes(StandardCharsets.UTF_8);
                return MessageDigest.isEqual(Digests.digest(text, number), Digests.newSha256().digest(text))
                        && Digests.of(Digests.digest("abcd".getBytes(StandardCharsets.UTF_8), 3)).equals(OF_ABC);
            }).toList();

            for (Future<Boolean> check : threads.invokeAll(checks))
                assertThat(check.get()).isTrue();
        }
    }
}
