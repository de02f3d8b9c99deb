package dev.toolfleet.topic;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void aHeaderReadsAndWritesUnchanged() {
        String header = "00-" + TRACE + "-" + SPAN + "-01";

        assertThat(TraceParent.parse(header)).contains(new TraceParent(TRACE, SPAN, "01"))
                .map(TraceParent::header).contains(header);
    }

    @Test
    void aLaterVersionIsReadAsFarAsItIsKnown() {
        assertThat(TraceParent.parse("cc-" + TRACE + "-" + SPAN + "-00-what-the-future-brings"))
                .contains(new TraceParent(TRACE, SPAN, "00"));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"00", "00-" + TRACE + "-" + SPAN, "00-" + TRACE + "-" + SPAN + "-1",
            "00-" + TRACE + "-" + SPAN + "-01-more", "00-" + TRACE + "-" + SPAN + "-01-",
            "00-" + TRACE + "-" + SPAN + "-01 ", "ff-" + TRACE + "-" + SPAN + "-01",
            "00-00000000000000000000000000000000-" + SPAN + "-01", "00-" + TRACE + "-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01", "cc-" + TRACE + "-" + SPAN + "-01.more",
            "00_" + TRACE + "_" + SPAN + "_01"})
    void whatIsNotWellFormedIsNoContext(String header) {
        assertThat(TraceParent.parse(header)).isEmpty();
    }

    @Test
    void aHeaderWithoutEndIsNoContext() {
        assertThat(TraceParent.parse("cc-" + TRACE + "-" + SPAN + "-00-" + "x".repeat(1_000_000))).isEmpty();
    }

    @Test
    void aChildKeepsTheTraceAndHasASpanOfItsOwn() {
        TraceParent parent = TraceParent.start(new Random(7));
        TraceParent child = parent.child(new Random(8));

        assertThat(TraceParent.parse(parent.header())).contains(parent);
        assertThat(child.traceId()).isEqualTo(parent.traceId());
        assertThat(child.flags()).isEqualTo(parent.flags());
        assertThat(child.parentId()).isNotEqualTo(parent.parentId()).hasSize(16);
    }

    @Test
    void aRandomOfZerosStillMakesALegalTrace() {
        TraceParent trace = TraceParent.start(() -> 0L);

        assertThat(TraceParent.parse(trace.header())).contains(trace);
    }
}
