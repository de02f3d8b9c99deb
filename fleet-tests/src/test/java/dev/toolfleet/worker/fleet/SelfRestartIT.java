package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;

/// A tool requests its worker's restart.
@EmbeddedKafkaTest
class SelfRestartIT {
    @TempDir
    private Path folder;

    @Test
    void theCallerHasItsResultBeforeTheWorkerIsGoneAndTheNextOneGoesOn(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("restart.minUptime", "1ms")) {
            fleet.announce("i", "s1");
            Worker first = fleet.worker("w1");
            CompletableFuture<String> restart = first.restart();
            fleet.send(call("c1", "self-restart__request", "i", Map.of("reason", "new code")));
            fleet.send(call("c2", "bash__exec", "i", Map.of("command", "echo again")));

            assertThat(restart.get(60, TimeUnit.SECONDS)).isEqualTo("new code");
            first.close();
            assertThat(fleet.results(1).getFirst().status()).isEqualTo(ResultStatus.OK);
            fleet.worker("w1");

            assertThat(fleet.results(2)).extracting(result -> result.toolCallId()).containsExactly("c1", "c2");
        }
    }
}
