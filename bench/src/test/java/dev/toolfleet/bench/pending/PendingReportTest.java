package dev.toolfleet.bench.pending;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.bench.pending.PendingReport.Ends;
import dev.toolfleet.bench.pending.PendingReport.Sample;
import dev.toolfleet.bench.pending.PendingReport.Times;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PendingReportTest {
    private static final List<String> THREADS = List.of("main", "poll", "poll");
    private static final Ends ALL_ONCE = new Ends(50_000, 0, 0);

    @Test
    void fiftyThousandHandlesMayTakeFiftyMegabytesAndNoThread() {
        assertThat(report(49_000_000, THREADS, ALL_ONCE).kept()).isTrue();
        assertThat(report(51_000_000, THREADS, ALL_ONCE).kept()).isFalse();
    }

    @Test
    void aThreadMoreIsNamed() {
        PendingReport report = report(0, List.of("poll", "timer", "main", "poll"), ALL_ONCE);

        assertThat(report.kept()).isFalse();
        assertThat(report.addedThreads()).containsExactly("timer");
    }

    @Test
    void aThreadInThePlaceOfAnotherIsNoneMore() {
        assertThat(report(0, List.of("main", "poll", "timer"), ALL_ONCE).kept()).isTrue();
    }

    @Test
    void everyCallEndsOnceAndWell() {
        assertThat(report(0, THREADS, new Ends(49_999, 0, 0)).kept()).isFalse();
        assertThat(report(0, THREADS, new Ends(50_000, 1, 0)).kept()).isFalse();
        assertThat(report(0, THREADS, new Ends(50_000, 0, 1)).kept()).isFalse();
    }

    private static PendingReport report(long grown, List<String> threads, Ends ends) {
        Duration second = Duration.ofSeconds(1);
        return new PendingReport(50_000, new Sample(30_000_000, THREADS), new Sample(30_000_000 + grown, threads), ends,
                new Times(second, second, second));
    }
}
