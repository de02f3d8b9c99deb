package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.bench.pending.PendingReport;
import dev.toolfleet.bench.pending.PendingReport.Ends;
import dev.toolfleet.bench.pending.PendingReport.Sample;
import dev.toolfleet.bench.pending.PendingReport.Times;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PendingBenchTest {
    private static final Times TIMES = new Times(Duration.ofSeconds(20), Duration.ofSeconds(9), Duration.ofSeconds(31));

    @Test
    void whatThePromisesAreAboutIsPrinted() {
        PendingReport report = new PendingReport(50_000, new Sample(24_000_000, List.of("main", "poll")),
                new Sample(40_500_000, List.of("main", "poll")), new Ends(50_000, 0, 0), TIMES);

        assertThat(String.join("\n", PendingBench.lines(report))).contains("50,000 calls were pending", "after 20.00 s")
                .contains("+16.5 MB (at most 50)").contains("2 with them: +0")
                .contains("50,000 calls have one, 0 more than one, 0 none; 0 failed")
                .endsWith("Every promise was kept.");
    }

    @Test
    void whatBrokeThemIsNamed() {
        PendingReport report = new PendingReport(50_000, new Sample(24_000_000, List.of("main")),
                new Sample(24_000_000, List.of("main", "timer-7")), new Ends(49_998, 1, 0), TIMES);

        assertThat(String.join("\n", PendingBench.lines(report))).contains("+1 (at most 0), timer-7")
                .contains("1 more than one, 2 none").endsWith("Promises were broken.");
    }
}
