package dev.toolfleet.cli.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;

import dev.toolfleet.cli.terminal.Failure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ResultsTest {
    @Test
    void aLineThatCannotBeWrittenIsAFailure() {
        Results results = results(new FullDisk());
        results.writer().println("{}");

        assertThatThrownBy(results::check).isInstanceOf(Failure.class)
                .hasMessageStartingWith("--results out.jsonl could not be written");
    }

    @Test
    void whatWasWrittenIsNoFailure() {
        Results results = results(new StringWriter());
        results.writer().println("{}");

        assertThatCode(results::check).doesNotThrowAnyException();
    }

    private static Results results(Writer writer) {
        return new Results(new PrintWriter(writer), "--results out.jsonl", true);
    }

    private static final class FullDisk extends Writer {
        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("no space left on device");
        }

        @Override
        public void flush() {
            // Nothing is kept here.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
