package dev.toolfleet.worker.guard;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

class GuardRulesTest {
    private static final String CARD = "4111111111111111";

    @Test
    void theMostSpecificGuardCountsForEachSwitch() {
        Guards guards = new Guards("{\"redactFinancialData\": false, \"maxContentLength\": 500}",
                "{\"tool\": \"disk__*\", \"redactFinancialData\": true}",
                "{\"tool\": \"disk__read\", \"maxContentLength\": 50}");

        assertThat(guards.text(CARD)).isEqualTo("[REDACTED]");
        assertThat(guards.web(CARD)).isEqualTo(CARD);
        assertThat(guards.text("x".repeat(100))).hasSizeBetween(40, 48).endsWith("[truncated]");
        assertThat(guards.web("x".repeat(100))).hasSize(100);
    }

    @Test
    void ofEqualGuardsTheStrictestCountsInEitherOrder() {
        for (String[] specs : new String[][]{{"{\"redactFinancialData\": false}", "{\"redactFinancialData\": true}"},
                {"{\"redactFinancialData\": true}", "{\"redactFinancialData\": false}"}})
            assertThat(new Guards(specs).text(CARD)).isEqualTo("[REDACTED]");
    }

    @Test
    void flagsAndGroupsSelectToo() {
        Guards guards = new Guards("{\"flag\": \"openWorld\", \"redactPatterns\": [\"abc\"]}",
                "{\"group\": \"finance\", \"redactPatterns\": [\"def\"]}");

        assertThat(guards.web("abc def")).isEqualTo("[REDACTED] def");
        assertThat(guards.text("abc def")).isEqualTo("abc def");
    }

    @Test
    void anotherBundlesGuardHoldsOnlyIfItReachesTheFleetAndThenRestricts() {
        Guards guards = new Guards();

        guards.declare("other", "{\"tool\": \"*\", \"redactPatterns\": [\"abc\"]}");
        assertThat(guards.text("abc")).isEqualTo("abc");

        guards.declare("other",
                "{\"reach\": \"fleet\", \"redactPatterns\": [\"abc\"], \"redactFinancialData\": false}");
        assertThat(guards.text("abc " + CARD)).isEqualTo("[REDACTED] [REDACTED]");
    }

    @Test
    void aNewRevisionCountsAtOnce() {
        Guards guards = new Guards();
        assertThat(guards.text("abc")).isEqualTo("abc");

        guards.declare("acme", "{\"redactPatterns\": [\"abc\"]}");
        assertThat(guards.text("abc")).isEqualTo("[REDACTED]");

        guards.declare("acme");
        assertThat(guards.text("abc")).isEqualTo("abc");
    }

    @Test
    void patternsOfAllGuardsAddUp() {
        assertThat(new Guards("{\"redactPatterns\": [\"abc\"]}",
                "{\"tool\": \"disk__read\", \"redactPatterns\": [\"def\"]}")
                .text("abc def x")).isEqualTo("[REDACTED] [REDACTED] x");
    }

    @Test
    void whatAGuardThatNobodyCanReadWouldGuardIsWithheld() {
        Guards guards = new Guards("{\"newSwitch\": true}");

        var ok = guards.guard(new ToolReply.Ok(StringNode.valueOf("secret"))).reply();
        assertThat(((ToolReply.Failed) ok).error().code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(((ToolReply.Failed) ok).error().message()).contains("acme/g0").doesNotContain("secret");
        var pending = guards.guard(new ToolReply.Pending("h", StringNode.valueOf("secret"), null, null, "secret"))
                .reply();
        assertThat(((ToolReply.Pending) pending).handle()).isEqualTo("h");
        assertThat(pending.toString()).doesNotContain("secret");
        var failed = guards.guard(new ToolReply.Failed(new ToolError("E_X", null, "secret", null, null))).reply();
        assertThat(((ToolReply.Failed) failed).error().code()).isEqualTo("E_X");
        assertThat(failed.toString()).doesNotContain("secret");
    }

    @Test
    void pendingOutputsAreGuardedAndKeepTheirHandles() {
        var guarded = new Guards().guard(
                new ToolReply.Pending("h", StringNode.valueOf("card " + CARD), null, "token", "desk of " + CARD));

        assertThat(guarded.reply()).isEqualTo(new ToolReply.Pending("h", StringNode.valueOf("card [REDACTED]"), null,
                "token", "desk of [REDACTED]"));
        assertThat(new Guards().guard(new ToolReply.Pending("h", NullNode.instance, null, null, CARD)).reply())
                .isEqualTo(new ToolReply.Pending("h", NullNode.instance, null, null, "[REDACTED]"));
    }

    @Test
    void markupOfAToolThatNobodyDeclaresIsTakenOut() {
        assertThat(new Guards().output("gone__away", StringNode.valueOf("<b>x</b>")).stringValue()).isEqualTo("x");
    }

    @Test
    void controlCharactersStayWhereAGuardSaysSo() {
        String text = "a\u001b[1mb\u200bc";

        assertThat(new Guards("{\"tool\": \"disk__read\", \"stripControlCharacters\": false}").text(text))
                .isEqualTo(text);
    }
}
