package dev.toolfleet.bench.command;

import java.time.LocalDate;
import java.util.List;

import dev.toolfleet.bench.compare.ComparisonFindings;
import dev.toolfleet.bench.compare.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReportSectionTest {
    private static final String DRAIN = "./toolfleet bench drain";

    @Test
    void aFileThatHasNoneGetsItAtItsEnd() {
        assertThat(section(DRAIN, "10").in(List.of("# Performance"))).containsExactly("# Performance", "",
                "<!-- bench: ./toolfleet bench drain -->", "`./toolfleet bench drain`, 2026-11-22, a machine", "",
                "| results/s |", "|----------:|", "|        10 |", "", "- A note.", "<!-- end of bench -->");
        assertThat(section(DRAIN, "10").in(List.of())).startsWith("<!-- bench: ./toolfleet bench drain -->");
    }

    @Test
    void theSameCommandReplacesItsOwnAndNothingElse() {
        List<String> file = section(DRAIN, "10").in(List.of("before"));
        file = section(DRAIN + " --work 10ms", "70").in(file);
        file.add("after");

        List<String> replaced = section(DRAIN, "99").in(file);

        assertThat(replaced).hasSameSizeAs(file).contains("before", "|        99 |", "|        70 |", "after")
                .doesNotContain("|        10 |");
    }

    @Test
    void aSectionWithoutAnEndIsNotGuessedAt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> section(DRAIN, "1").in(List.of("<!-- bench: " + DRAIN + " -->", "text")))
                .withMessageContaining("has no end");
    }

    private static ReportSection section(String command, String value) {
        Table table = new Table(List.of("results/s"), List.of(List.of(value)));
        return new ReportSection(command, "a machine", LocalDate.of(2026, 11, 22),
                new ComparisonFindings(table, List.of("A note."), table, true));
    }
}
