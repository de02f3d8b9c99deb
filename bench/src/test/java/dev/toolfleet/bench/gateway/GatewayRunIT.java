package dev.toolfleet.bench.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bench.compare.ComparisonFindings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class GatewayRunIT {
    @Test
    @Timeout(600)
    void bothDoorsAnswerEveryCallAndTheGatewayIsWeighed(@TempDir Path folder) throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        ComparisonFindings findings = new GatewayRun(new GatewayOptions(1, Duration.ofSeconds(2), 8, 200, 100), folder,
                told::add).run();

        assertThat(findings.kept()).isTrue();
        assertThat(findings.measured().rows()).hasSize(2 + 2 * GatewayRun.SHARES.size());
        assertThat(findings.summary().rows()).allSatisfy(row -> assertThat(row.get(2)).isNotBlank());
        assertThat(told).contains("opening 200 streams ...");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
