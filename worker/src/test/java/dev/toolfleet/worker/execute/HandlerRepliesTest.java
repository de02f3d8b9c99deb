package dev.toolfleet.worker.execute;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerRepliesTest {
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

    // Otherwise: it is published as the text "NaN", with status ok.
    @Test
    void aNumberThatJsonDoesNotHaveIsAnInvalidResult() {
        assertThat(error(ToolOutput.of(Map.of("rate", List.of(Double.NaN)))).message()).contains("NaN or infinite");
        assertThat(error(ToolOutput.of(Float.POSITIVE_INFINITY)).code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(error(ToolOutput.of(Json.MAPPER.createObjectNode().put("x", Double.NEGATIVE_INFINITY))).code())
                .isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(HandlerReplies.of(ToolOutput.of(List.of(new BigDecimal("1e400"), 1.5)), false))
                .isInstanceOf(ToolReply.Ok.class);
    }

    @Test
    void anErrorHasTheNameThatItsToolGivesIt() {
        assertThat(HandlerReplies.error(new ToolException("E_CHANNEL_NOT_FOUND", "No channel.").named("SlackApiError")))
                .extracting(ToolError::name, ToolError::code).containsExactly("SlackApiError", "E_CHANNEL_NOT_FOUND");
        assertThat(HandlerReplies.error(new ToolException("E_OWN", "No.")).name()).as("nothing better is known")
                .isNull();
        assertThat(HandlerReplies.error(new ToolException("E_TOOL_TIMEOUT", "Late.")).name())
                .isEqualTo("ToolTimeoutError");
    }

    @Test
    void anAsynchronousMarkCountsOnlyForExportsThatDeclareIt() {
        ToolOutput marked = ToolOutput.of(Map.of("__async", true, "handle", "h1", "note", "started"));

        assertThat(HandlerReplies.of(marked, true)).isInstanceOfSatisfying(ToolReply.Pending.class, pending -> {
            assertThat(pending.handle()).isEqualTo("h1");
            assertThat(pending.output().toString()).isEqualTo("{\"note\":\"started\"}");
        });
        assertThat(HandlerReplies.of(marked, false)).isInstanceOf(ToolReply.Ok.class);
        assertThat(HandlerReplies.of(ToolOutput.of(Map.of("__async", "true", "handle", "h1")), true))
                .isInstanceOf(ToolReply.Ok.class);
        assertThat(HandlerReplies.of(ToolOutput.of(Map.of("__async", true)), true)).isInstanceOf(ToolReply.Ok.class);
    }

    @Test
    void aPendingAnswerNeedsAHandleThatCanBeAKey() {
        assertThat(HandlerReplies.of(ToolOutput.pending("h", Map.of()), false)).isInstanceOf(ToolReply.Pending.class);
        assertThat(error(ToolOutput.pending(" ", null)).code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(error(ToolOutput.pending("h".repeat(1025), null)).message()).contains("1025");
    }

    @Test
    void aPendingAnswerMayNameItsTargetWhichIsCut() {
        String max = "x".repeat(ToolOutput.Pending.MAX_TARGET);

        assertThat(target(ToolOutput.pending("h", null).waitingFor("build queue"))).isEqualTo("build queue");
        assertThat(target(ToolOutput.pending("h", null).waitingFor(max + "y").demanding("t"))).isEqualTo(max);
        assertThat(target(ToolOutput.pending("h", null).waitingFor(max.substring(1) + "😀")))
                .as("no half of a character")
                .isEqualTo(max.substring(1));
        assertThat(target(ToolOutput.pending("h", null).waitingFor(" "))).isNull();
        assertThat(target(ToolOutput.of(Map.of("__async", true, "handle", "h", "target", "farm")))).isEqualTo("farm");
        assertThat(target(ToolOutput.of(Map.of("__async", true, "handle", "h", "target", 7)))).isNull();
    }

    private static @Nullable String target(ToolOutput output) {
        return ((ToolReply.Pending) HandlerReplies.of(output, true)).target();
    }

    private static ToolError error(ToolOutput output) {
        return ((ToolReply.Failed) HandlerReplies.of(output, false)).error();
    }
}
