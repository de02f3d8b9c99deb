package dev.toolfleet.worker.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepliesTest {
    /// A value that breaks while it is read.
    record Broken(int value) {
        @Override
        public int value() {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void whatIsNoJsonIsAnInvalidResult() {
        List<Object> circle = new ArrayList<>();
        circle.add(circle);

        assertThat(error(ToolOutput.of(circle)).code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(error(ToolOutput.of(new Broken(1))).code()).isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void anAsynchronousMarkCountsOnlyForExportsThatDeclareIt() {
        ToolOutput marked = ToolOutput.of(Map.of("__async", true, "handle", "h1", "note", "started"));

        assertThat(Replies.of(marked, true)).isInstanceOfSatisfying(ToolReply.Pending.class, pending -> {
            assertThat(pending.handle()).isEqualTo("h1");
            assertThat(pending.output().toString()).isEqualTo("{\"note\":\"started\"}");
        });
        assertThat(Replies.of(marked, false)).isInstanceOf(ToolReply.Ok.class);
        assertThat(Replies.of(ToolOutput.of(Map.of("__async", "true", "handle", "h1")), true))
                .isInstanceOf(ToolReply.Ok.class);
        assertThat(Replies.of(ToolOutput.of(Map.of("__async", true)), true)).isInstanceOf(ToolReply.Ok.class);
    }

    @Test
    void aPendingAnswerNeedsAHandleThatCanBeAKey() {
        assertThat(Replies.of(ToolOutput.pending("h", Map.of()), false)).isInstanceOf(ToolReply.Pending.class);
        assertThat(error(ToolOutput.pending(" ", null)).code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(error(ToolOutput.pending("h".repeat(1025), null)).message()).contains("1025");
    }

    private static ToolError error(ToolOutput output) {
        return ((ToolReply.Failed) Replies.of(output, false)).error();
    }
}
