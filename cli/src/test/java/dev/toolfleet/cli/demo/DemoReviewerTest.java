package dev.toolfleet.cli.demo;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DemoReviewerTest {
    @Test
    void itMeasuresWhatItIsSent() {
        assertThat(DemoReviewer.review("a\nb\n")).isEqualTo("2 lines, none of them wider than 100 characters.");
        assertThat(DemoReviewer.review("a\n" + "b".repeat(101)))
                .isEqualTo("2 lines, 1 of them wider than 100 characters: break them.");
    }
}
