package dev.toolfleet.worker.telemetry;

import java.util.stream.IntStream;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.telemetry.CallMeters.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallMetersTest {
    private static final ToolRef ECHO = new ToolRef("acme", "t", "echo");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkerMeters meters = new WorkerMeters(registry);
    private final CallMeters calls = meters.calls();

    @Test
    void endsAreCountedByToolStatusAndCode() {
        calls.completed(ECHO, Status.OK, null);
        calls.completed(ECHO, Status.OK, null);
        calls.completed(ECHO, Status.ERROR, "E_TOOL_TIMEOUT");
        calls.completed(ECHO, Status.PENDING, null);
        calls.completed(null, Status.ERROR, "E_CALL_MALFORMED");

        assertThat(count("acme/t__echo", "ok", "none")).isEqualTo(2);
        assertThat(count("acme/t__echo", "error", "E_TOOL_TIMEOUT")).isEqualTo(1);
        assertThat(count("acme/t__echo", "pending", "none")).isEqualTo(1);
        assertThat(count("none", "error", "E_CALL_MALFORMED")).isEqualTo(1);
    }

    @Test
    void codesThatToolsChooseBecomeOneSeries() {
        calls.completed(ECHO, Status.ERROR, "E_MINE");
        int before = registry.getMeters().size();

        IntStream.range(0, 1_000).forEach(n -> calls.completed(ECHO, Status.ERROR, "E_MINE_" + n));

        assertThat(count("acme/t__echo", "error", "own")).isEqualTo(1_001);
        assertThat(registry.getMeters()).hasSize(before);
    }

    @Test
    void aClosedWorkerLeavesNothingBehind() {
        calls.completed(ECHO, Status.ERROR, "E_TOOL");
        calls.handled(ECHO, 3);

        meters.close();

        assertThat(registry.getMeters()).isEmpty();
    }

    private double count(String tool, String status, String code) {
        return registry.get(CallMeters.COMPLETED)
                .tags(WorkerMeters.TOOL, tool, CallMeters.STATUS, status, CallMeters.CODE, code).counter().count();
    }
}
