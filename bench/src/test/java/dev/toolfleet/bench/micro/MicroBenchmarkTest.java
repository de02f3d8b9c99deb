package dev.toolfleet.bench.micro;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicroBenchmarkTest {
    @Test
    void everyCaseIsOneThatJmhFindsAndNoneIsForgotten() {
        Set<String> cases = new TreeSet<>();
        for (MicroBenchmark benchmark : MicroBenchmark.ALL)
            benchmark.cases().forEach(measured -> cases.add(benchmark.label(measured)));

        assertThat(MicroRun.known()).containsExactlyInAnyOrderElementsOf(cases);
    }

    @Test
    void everyOneHasANameByWhichItIsFound() {
        assertThat(MicroBenchmark.names()).contains("policy").doesNotHaveDuplicates();
        assertThat(MicroBenchmark.names().stream().map(MicroBenchmark::named))
                .doesNotContain(Optional.empty());
        assertThat(MicroBenchmark.named("polcy")).isEmpty();
    }

    @Test
    void whatTakesLongerThanItMayIsNotKept() {
        MicroReport.Row slow = new MicroReport.Row("a b", "", 20_000, 1, 20_000);
        MicroReport.Row free = new MicroReport.Row("a c", "", 1e9, 1, 0);

        assertThat(new MicroReport(List.of(free)).kept()).isTrue();
        assertThat(new MicroReport(List.of(free, slow)).kept()).isFalse();
    }
}
