package dev.toolfleet.bench.compare;

import java.util.Locale;

import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class AuditTest {
    private final Audit audit = new Audit(3);

    @Test
    void oneRightResultForEachCallIsClean() {
        audit.see(result(0, "a"));
        audit.see(result(2, "b"));
        audit.see(result(1, "a"));

        assertThat(audit.verdict()).isEqualTo(new AnswerVerdict(0, 0, 0, 0)).matches(AnswerVerdict::clean);
    }

    @Test
    void whatHasNoResultIsMissing() {
        audit.see(result(1, "a"));

        assertThat(audit.verdict()).isEqualTo(new AnswerVerdict(2, 0, 0, 0)).matches(verdict -> !verdict.clean());
    }

    @Test
    void aSecondResultIsADuplicateAndNotOutOfOrder() {
        audit.see(result(0, "a"));
        audit.see(result(1, "a"));
        audit.see(result(0, "a"));
        audit.see(result(2, "a"));

        assertThat(audit.verdict()).isEqualTo(new AnswerVerdict(0, 1, 0, 0));
    }

    @Test
    void aResultBehindALaterOneOfItsInstanceIsOutOfOrder() {
        audit.see(result(2, "a"));
        audit.see(result(0, "b"));
        audit.see(result(1, "a"));

        assertThat(audit.verdict()).isEqualTo(new AnswerVerdict(0, 0, 1, 0));
    }

    @Test
    void aRefusalIsNoRightAnswer() {
        audit.see(result("call-0000000", "a", ResultStatus.ERROR, 0));
        audit.see(result("call-0000001", "a", ResultStatus.OK, 0));
        audit.see(result("call-0000007", "a", ResultStatus.OK, 7));
        audit.see(result("another", "a", ResultStatus.OK, 2));

        assertThat(audit.verdict()).isEqualTo(new AnswerVerdict(1, 0, 0, 4));
    }

    private static ToolResult result(int number, String instance) {
        return result(String.format(Locale.ROOT, "call-%07d", number), instance, ResultStatus.OK, number);
    }

    private static ToolResult result(String id, String instance, ResultStatus status, int number) {
        return new ToolResult(id, "compared__put", status, JsonNodeFactory.instance.objectNode().put("number", number),
                null, null, instance, null, null, null, 1, false, null, 0, null, null);
    }
}
