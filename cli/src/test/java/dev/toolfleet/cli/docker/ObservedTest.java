package dev.toolfleet.cli.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedTest {
    private static final Scrape EXPORTED = Scrape.of("""
            # HELP a_total of a
            # TYPE a_total counter
            a_total{tool="x",status="o\\"k}"} 1.0
            b 2.5E7
            """).with(Scrape.of("c{le=\"+Inf\"} 1"));

    @Test
    void aMetricThatNobodyExportsIsTold() {
        assertThat(observed("sum(a_totl)").unknown(EXPORTED)).singleElement().asString().contains("a_totl");
    }

    @Test
    void aLabelThatAMetricHasNotIsTold() {
        assertThat(observed("a_total{code=\"x\"}").unknown(EXPORTED)).singleElement().asString().contains("code");
        assertThat(observed("sum by (how) (a_total)", "how").unknown(EXPORTED)).singleElement().asString()
                .contains("how");
    }

    @Test
    void aLabelThatIsGroupedAwayCannotBeShown() {
        assertThat(observed("sum by (tool) (a_total)", "status").unknown(EXPORTED)).singleElement().asString()
                .contains("status");
        assertThat(observed("max(a_total)", "tool").unknown(EXPORTED)).singleElement().asString().contains("tool");
    }

    @Test
    void whatFitsIsNotTold() {
        assertThat(observed("sum by (tool, job) (a_total{status=\"ok\"}) / b > c{le=\"1\"}", "tool", "job")
                .unknown(EXPORTED)).isEmpty();
    }

    @Test
    void theOperationsGuideSaysWhatToDoForEachAlertAndForNoOther() throws IOException {
        String guide = Files.readString(Path.of("../docs/operations.md"));
        Set<String> told = guide.lines().filter(line -> line.startsWith("| `Toolfleet"))
                .map(line -> line.substring(3, line.indexOf('`', 3))).collect(Collectors.toSet());

        assertThat(told).isEqualTo(
                Observed.alerts().stream().map(rule -> rule.path("alert").asString()).collect(Collectors.toSet()));
    }

    private static Observed observed(String expression, String... shown) {
        return new Observed("here", PromQuery.of(expression), Set.of(shown));
    }
}
