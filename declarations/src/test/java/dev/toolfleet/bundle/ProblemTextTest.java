package dev.toolfleet.bundle;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemTextTest {
    private static final BundleProblem ERROR = new BundleProblem(Severity.ERROR, ProblemCode.E_CONFIG_REF_NOT_FOUND,
            "Tool/bsh does not exist.", new SourcePosition("goondan.yaml", 7, 12), "spec.tools[0]",
            "Did you mean bash?");
    private static final BundleProblem NOTICE = BundleProblem.notice(ProblemCode.E_CONFIG_FILE_SKIPPED, "Not ours.",
            SourcePosition.ofFile("x.yaml"), "");

    @Test
    void peopleReadPlaceSeverityCodeAndHint() {
        assertThat(ProblemText.of(ERROR)).isEqualTo("""
                goondan.yaml:7:12: error E_CONFIG_REF_NOT_FOUND Tool/bsh does not exist. (spec.tools[0])
                  Did you mean bash?""");
        assertThat(ProblemText.of(NOTICE)).isEqualTo("x.yaml: notice E_CONFIG_FILE_SKIPPED Not ours.");
    }

    @Test
    void theSummaryCountsEachSeverity() {
        assertThat(ProblemText.summary(List.of(ERROR, NOTICE, ERROR))).isEqualTo("2 errors, 1 notice");
        assertThat(ProblemText.summary(List.of())).isEqualTo("no problems");
    }

    @Test
    void programsReadJson() {
        assertThat(ProblemText.json(List.of(ERROR, NOTICE)).toString()).isEqualTo(
                "{\"valid\":false,\"counts\":{\"error\":1,\"warning\":0,\"hint\":0,\"notice\":1},\"problems\":["
                        + "{\"severity\":\"error\",\"code\":\"E_CONFIG_REF_NOT_FOUND\",\"message\":\"Tool/bsh does not exist.\","
                        + "\"file\":\"goondan.yaml\",\"line\":7,\"column\":12,\"path\":\"spec.tools[0]\",\"hint\":\"Did you mean bash?\"},"
                        + "{\"severity\":\"notice\",\"code\":\"E_CONFIG_FILE_SKIPPED\",\"message\":\"Not ours.\",\"file\":\"x.yaml\"}]}");
        assertThat(ProblemText.json(List.of()).toString()).contains("\"valid\":true").contains("\"problems\":[]");
    }
}
