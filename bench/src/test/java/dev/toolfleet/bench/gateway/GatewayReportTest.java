package dev.toolfleet.bench.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bench.compare.ComparisonFindings;
import dev.toolfleet.bench.gateway.GatewayFindings.Capacity;
import dev.toolfleet.bench.gateway.GatewayFindings.Disk;
import dev.toolfleet.bench.gateway.GatewayFindings.Memory;
import dev.toolfleet.bench.gateway.GatewayFindings.Rated;
import dev.toolfleet.bench.timing.Latencies;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GatewayReportTest {
    private static final long MEGA = 1024 * 1024;

    private final GatewayReport report = new GatewayReport(
            new GatewayOptions(3, Duration.ofSeconds(15), 64, 10_000, 200));

    private static Rated rated(String door, int share, int round, long millis, int failed) {
        Latencies times = new Latencies();
        times.add(Duration.ofMillis(millis).toNanos());
        return new Rated(door, share, 7 * share, round, failed, times, 1.5);
    }

    private static GatewayFindings found(long gatewayMillis, int failed) {
        List<Rated> loads = new ArrayList<>();
        for (int share : GatewayRun.SHARES) {
            for (int round = 1; round <= 3; round++) {
                loads.add(rated(GatewayReport.CLIENT, share, round, 10, 0));
                loads.add(rated(GatewayReport.GATEWAY, share, round, gatewayMillis * round, failed));
            }
        }
        return new GatewayFindings(
                List.of(new Capacity(GatewayReport.CLIENT, 1, 1000, 0), new Capacity(GatewayReport.GATEWAY, 1, 700, 0)),
                loads, new Memory(10_000, 400 * MEGA, 500 * MEGA, 50 * MEGA, 50 * MEGA + 10_000 * 2048L),
                new Disk(1_000_000, 2_500_000, 1024 * MEGA, 512 * MEGA, 2048 * MEGA));
    }

    private static List<String> row(ComparisonFindings findings, String what) {
        return findings.summary().rows().stream().filter(row -> row.getFirst().startsWith(what)).findFirst()
                .orElseThrow();
    }

    @Test
    void theMiddleOfTheRoundsIsComparedAndJudged() {
        ComparisonFindings findings = report.findings(found(6, 0));

        assertThat(row(findings, "64 clients")).endsWith("1,000", "700", "0.70 ×");
        assertThat(row(findings, "70 % of that, 490 calls/s: p50")).endsWith("10.0", "12.0", "1.20 ×");
        assertThat(String.join(" ", findings.notes()))
                .contains("p50 of the gateway at 70 %: 2.0 ms above the client's; goal: at most 2 ms, met.");
        assertThat(findings.kept()).isTrue();
        assertThat(String.join(" ", report.findings(found(11, 0)).notes())).contains("12.0 ms above the client's;"
                + " goal: at most 2 ms, not met.");
    }

    @Test
    void costsAreGivenForOneStreamAndAMillionCalls() {
        ComparisonFindings findings = report.findings(found(6, 0));

        assertThat(row(findings, "resident MB, 10,000 open streams")).contains("500");
        assertThat(row(findings, "live heap KB per open stream")).contains("2.0");
        assertThat(row(findings, "records and transaction marks read")).contains("2.5");
        assertThat(row(findings, "GB of stores")).contains("0.50");
        assertThat(row(findings, "GB of changelogs")).contains("2.00");
    }

    @Test
    void aCallWithoutItsOwnAnswerBreaksTheRun() {
        assertThat(report.findings(found(6, 1)).kept()).isFalse();
    }

    @Test
    void whatCannotBeMeasuredIsRefusedByNameAndValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GatewayOptions(3, Duration.ofSeconds(15), 64, 20_000, 200))
                .withMessageContaining("streams is 20000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GatewayOptions(3, Duration.ZERO, 64, 100, 200))
                .withMessageContaining("seconds is 0");
    }
}
