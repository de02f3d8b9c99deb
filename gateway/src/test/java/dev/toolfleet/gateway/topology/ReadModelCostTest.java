package dev.toolfleet.gateway.topology;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.gateway.topology.ReadModelDriver.at;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Bounds of the cost of a call, which `docs/topics.md` names.
class ReadModelCostTest {
    private static final int CALLS = 2_000;
    private static final int INSTANCES = 100;
    /// Bytes that the read model adds to the two records of a call.
    private static final int MOST_BYTES = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;

    @Test
    void aCallCostsItsRecordsAndThreeHundredBytes() {
        long records = 0;
        try (ReadModelDriver model = new ReadModelDriver(stateDir)) {
            for (int i = 0; i < CALLS; i++) {
                ToolCall call = CallRecords.call("telegram:" + i % INSTANCES, "toolu_01A09q90qw90lq917835lq" + i)
                        .forCaller("telegram:user-" + i % INSTANCES, null);
                CallRecords.Written called = CallRecords.called(call, at(i));
                CallRecords.Written result = CallRecords.result(call, i, ResultStatus.OK, null, at(i + 1));
                records += requireNonNull(called.value()).length + requireNonNull(result.value()).length;
                model.read(called, CallRecords.progress(call, i, 50, at(i)), result);
            }
            Map<String, String> content = model.content();
            assertThat(content)
                    .as("call, result, head, identity and place among the instance's results; one per instance")
                    .hasSize(5 * CALLS + INSTANCES);
            long bytes = content.entrySet().stream()
                    .mapToLong(entry -> hex(entry.getKey()) + entry.getValue().length() / 2).sum();
            assertThat((bytes - records) / CALLS).as("bytes beside the records").isBetween(50L, (long) MOST_BYTES);
        }
    }

    private static long hex(String key) {
        String digits = key.substring(key.indexOf(' ') + 1);
        return HexFormat.of().parseHex(digits).length;
    }
}
