package dev.toolfleet.error;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnquotedTest {
    @Test
    void aFailureIsToldWithoutItsMessages() {
        Throwable failure = new IllegalStateException("cannot use secret", new Exception("secret"));
        StringWriter told = new StringWriter();
        Unquoted.of(failure).printStackTrace(new PrintWriter(told));

        assertThat(told.toString()).doesNotContain("secret").contains("java.lang.IllegalStateException",
                "Caused by: ", "java.lang.Exception", "aFailureIsToldWithoutItsMessages");
        assertThat(Unquoted.name(failure)).startsWith("java.lang.IllegalStateException by java.lang.Exception at ")
                .doesNotContain("secret");
    }

    @Test
    void aCircleOfCausesEnds() {
        Exception one = new Exception("secret");
        one.initCause(new Exception("secret", one));

        assertThat(Unquoted.of(one).getCause()).isNotNull().hasNoCause();
    }

    @Test
    void aFailureThatCannotEvenBeAskedIsTold() {
        assertThat(Unquoted.of(new Evil())).hasMessage(Evil.class.getName()).hasNoCause();
        assertThat(Unquoted.name(new Evil())).isEqualTo(Evil.class.getName());
    }

    private static final class Evil extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("secret");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("secret");
        }
    }
}
