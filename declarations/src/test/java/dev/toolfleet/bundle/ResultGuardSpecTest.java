package dev.toolfleet.bundle;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ResultGuardSpecTest {
    private static ResultGuardSpec read(String spec) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("kind", "ResultGuard");
        resource.putObject("metadata").put("name", "g");
        resource.set("spec", Json.MAPPER.readTree(spec));
        return ResultGuardSpec.of(resource);
    }

    @Test
    void whatIsLeftOutIsNotSaid() {
        ResultGuardSpec spec = read("{}");

        assertThat(spec.reach()).isEqualTo(ToolPolicySpec.Reach.BUNDLE);
        assertThat(spec.maxContentLength()).isEmpty();
        assertThat(spec.redactPatterns()).isEmpty();
        assertThat(spec.allowHtml()).isEmpty();
        assertThat(spec.selector().specificity()).isZero();
    }

    @Test
    void whatIsSaidIsRead() {
        ResultGuardSpec spec = read(
                "{\"tool\":\"web__*\",\"reach\":\"fleet\",\"maxContentLength\":500,\"redactPatterns\":[\"a+\"],\"allowHtml\":false}");

        assertThat(spec.maxContentLength()).contains(500);
        assertThat(spec.redactPatterns()).containsExactly("a+");
        assertThat(spec.allowHtml()).contains(false);
        assertThat(spec.selector().tools()).containsExactly(Glob.of("web__*"));
    }

    @Test
    void whatNobodyKnowsOrCanUseIsRefused() {
        for (String wrong : new String[]{"{\"x\":1}", "{\"maxContentLength\":31}", "{\"redactPatterns\":[\"(\"]}",
                "{\"redactPatterns\":[\"\"]}", "{\"redactPatterns\":\"a\"}", "{\"allowHtml\":1}", "{\"tool\":[]}"})
            assertThatThrownBy(() -> read(wrong)).as(wrong).isInstanceOf(InvalidResourceException.class);
    }
}
