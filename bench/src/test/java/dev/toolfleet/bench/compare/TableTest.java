package dev.toolfleet.bench.compare;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TableTest {
    private static final Table TABLE = new Table(List.of("engine", "results/s"),
            List.of(List.of("raw", "1,000"), List.of("a \"b\"", "90")));

    @Test
    void numbersStandToTheRightInMarkdown() {
        assertThat(TABLE.markdown()).containsExactly("| engine | results/s |", "|--------|----------:|",
                "| raw    |     1,000 |", "| a \"b\"  |        90 |");
    }

    @Test
    void cellsWithCommasAndQuotesAreQuotedInCsv() {
        assertThat(TABLE.csv()).containsExactly("engine,results/s", "raw,\"1,000\"", "\"a \"\"b\"\"\",90");
    }

    @Test
    void aRowHasACellForEachColumn() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Table(List.of("a"), List.of(List.of("1", "2"))));
    }
}
