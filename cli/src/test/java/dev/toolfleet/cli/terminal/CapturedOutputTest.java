package dev.toolfleet.cli.terminal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CapturedOutputTest {
    @Test
    void linesKeepTheirOrderAndTheirKind() {
        CapturedOutput output = new CapturedOutput();
        Terminal terminal = output.terminal(80);

        terminal.print("{\n  \"a\": 1\n}");
        terminal.note("a note  ");
        terminal.print("the end");

        assertThat(output.results()).containsExactly("{", "  \"a\": 1", "}", "the end");
        assertThat(output.notes()).containsExactly("a note");
        assertThat(output.all()).containsExactly("{", "  \"a\": 1", "}", "a note", "the end");
        assertThat(terminal.width()).isEqualTo(80);
        assertThat(terminal.colour()).isFalse();
    }
}
