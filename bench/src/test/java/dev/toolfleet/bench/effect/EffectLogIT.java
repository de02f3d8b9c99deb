package dev.toolfleet.bench.effect;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

import dev.toolfleet.bench.load.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class EffectLogIT {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void anInterruptedThreadStillWritesAndSpoilsNothingForOthers(@TempDir Path folder) throws IOException {
        try (EffectLog log = EffectLog.open(EffectFiles.of(folder, "worker-1", 1), CLOCK)) {
            Thread.currentThread().interrupt();
            EffectLog.Run run = log.begin(Kind.IDEMPOTENT, "a", "instance-1", 1);
            assertThat(Thread.interrupted()).isTrue();
            log.cut(run);
            log.begin(Kind.ONCE, "b", "instance-1", 2);
        }

        assertThat(EffectFiles.read(folder)).extracting(HandlerStart::callId).containsExactly("a", "b");
    }

    @Test
    void everyWorkerHasAFileOfItsName(@TempDir Path folder) throws IOException {
        for (String worker : new String[]{"worker-1", "worker-2"}) {
            try (EffectLog log = EffectLog.open(EffectFiles.of(folder, worker, 1), CLOCK)) {
                log.begin(Kind.ONCE, "a", "instance-1", 1);
            }
        }

        assertThat(EffectFiles.read(folder)).extracting(HandlerStart::worker).containsExactly("worker-1", "worker-2");
    }
}
