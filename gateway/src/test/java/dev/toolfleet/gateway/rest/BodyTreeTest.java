package dev.toolfleet.gateway.rest;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What a refusal says is in [BadRequestsTest].
class BodyTreeTest {
    /// Less than a megabyte as text: names of the longest kind that are read, with many items behind them.
    @Test
    void aLongNameIsNotCopiedForEachValueBehindIt() {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ObjectNode inner = body;
        for (int level = 0; level < 10; level++)
            inner = inner.putObject("n".repeat(40_000));
        ArrayNode items = inner.putArray("items");
        for (int i = 0; i < 100_000; i++)
            items.addObject().put("a", "");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        BodyTree.check(body);
        BodyTree.check("arguments", body);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\u00e9", "\ud83d\ude00", "a\ud83d\ude00b\ud83d\ude00"})
    void textWithUtf8IsAccepted(String text) {
        BodyTree.check(Json.MAPPER.createObjectNode().put("f", text).put(text + "n", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude00", "\ude00\ud83d", "\ud83dx", "\ud83d\ud83d\ude00", "\ud83d\ude00\ude00"})
    void halfOfASurrogatePairIsRefusedInTextsAndNames(String text) {
        assertThatThrownBy(() -> BodyTree.check(Json.MAPPER.createObjectNode().put("f", text)))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> BodyTree.check(Json.MAPPER.createObjectNode().put(text, 1)))
                .isInstanceOf(ProblemException.class);
    }
}
