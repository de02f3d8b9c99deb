package dev.toolfleet.bench.memory;

import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

import dev.toolfleet.bench.memory.MemoryReport.Sample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryReportTest {

    @Test
    void aReferenceThatEachCallLeavesBehindIsFound() {
        MemoryReport report = report(call -> 30_000_000 + 8L * call);

        assertThat(report.bytesPerCall()).isEqualTo(8);
        assertThat(report.kept()).isFalse();
    }

    @Test
    void whatFillsBeforeTheWorkerIsWarmDoesNotCount() {
        assertThat(report(call -> call <= 200_000 ? 30_000_000 + 20L * call : 34_000_000).kept()).isTrue();
    }

    private static MemoryReport report(LongUnaryOperator live) {
        List<Sample> samples = IntStream.rangeClosed(1, 10).map(n -> n * 100_000)
                .mapToObj(calls -> new Sample(calls, live.applyAsLong(calls))).toList();
        return new MemoryReport(new Sample(0, 20_000_000), samples);
    }
}
