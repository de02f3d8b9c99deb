package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;

/// A worker whose producers may write less in the time of a transaction than waits for it.
@EmbeddedKafkaTest
@Tag("slow")
class ThrottledWorkerIT {
    private static final int CALLS = 30;
    private static final int RESULT_BYTES = 50_000;
    private static final double BYTES_PER_SECOND = 40_000;

    @TempDir
    private Path folder;

    @Test
    void moreThanAQuotaAllowsInOneTransactionIsCommittedInSeveral(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            List<String> instances = IntStream.range(0, CALLS).mapToObj(n -> "i" + n).toList();
            fleet.announceAll(instances.stream(), "s1");
            limit(kafka, BYTES_PER_SECOND);
            fleet.sendAll(instances.stream().map(instance -> call("c", "bash__exec", instance,
                    Map.of("command", "yes | head -c " + RESULT_BYTES))).toList());
            fleet.worker("throttled");

            List<ToolResult> results = fleet.results(CALLS);
            assertThat(results).extracting(ToolResult::instanceKey).containsExactlyInAnyOrderElementsOf(instances);
            assertThat(results).extracting(ToolResult::status).containsOnly(ResultStatus.OK);
        } finally {
            limit(kafka, null);
        }
    }

    private static void limit(KafkaFixture kafka, @Nullable Double bytesPerSecond) throws Exception {
        List<ClientQuotaAlteration> alterations = Stream.of(0, 1)
                .map(number -> new ClientQuotaAlteration(
                        new ClientQuotaEntity(
                                Map.of(ClientQuotaEntity.CLIENT_ID, "throttled-transactions-" + number)),
                        List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond))))
                .toList();
        kafka.admin().alterClientQuotas(alterations).all().get();
    }
}
