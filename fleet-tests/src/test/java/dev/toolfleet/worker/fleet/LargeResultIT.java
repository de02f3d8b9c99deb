package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The output of a command is cut at its cap, and then again by the guard; the rest arrives.
@EmbeddedKafkaTest
class LargeResultIT {
    @TempDir
    private Path folder;

    @Test
    void twoFullStreamsFitAResult(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            fleet.send(call("c", "bash__exec", "i",
                    Map.of("command", "yes | head -c 3000000; head -c 3000000 /dev/zero >&2; exit 4")));
            fleet.worker("w1");

            ToolResult result = fleet.results(1).getFirst();

            assertThat(result.status()).as(String.valueOf(result.error())).isEqualTo(ResultStatus.OK);
            JsonNode output = requireNonNull(result.output());
            assertThat(output.path("truncated").booleanValue()).isTrue();
            assertThat(output.path("exitCode").intValue()).isEqualTo(4);
            assertThat(output.path("stdout").asString()).hasSizeGreaterThan(60_000).startsWith("y\ny\n")
                    .contains("[truncated]");
            assertThat(requireNonNull(result.guard()).guardedSize()).isBetween(99_000L, 100_000L);
        }
    }
}
