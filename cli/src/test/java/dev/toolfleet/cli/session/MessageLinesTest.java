package dev.toolfleet.cli.session;

import dev.toolfleet.cli.table.TextWidth;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageLinesTest {
    @Test
    void aLongFindingIsWholeAndStaysWithinTheTerminal() {
        String finding = "invalid-role-sequence: the result of call 'call_6' does not stand behind its call; it is moved"
                + " there";

        assertThat(MessageLines.wrapped("finding", finding, 100)).containsExactly(
                "finding    invalid-role-sequence: the result of call 'call_6' does not stand behind its call;",
                "           it is moved there");
        assertThat(MessageLines.wrapped("finding", finding, 60))
                .allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(58))
                .hasSize(3);
    }
}
