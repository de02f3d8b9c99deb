package dev.toolfleet.worker.tools.selfrestart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class SelfRestartModuleTest {
    private final List<String> asked = new ArrayList<>();

    @Test
    void aGrantedRequestSaysSoAndNamesTheReason() throws Exception {
        JsonNode output = request(new Restarts.Answer.Begins(), "{\"reason\": \" new\\ntools \"}");

        assertThat(output).isEqualTo(Json.MAPPER.readTree("""
                {"ok": true, "restartRequested": true, "restartReason": "new tools"}"""));
        assertThat(asked).containsExactly("new tools");
    }

    @Test
    void aBlankReasonIsTheToolItself() throws Exception {
        assertThat(request(new Restarts.Answer.Begins(), "{}").path("restartReason").asString())
                .isEqualTo("tool:self-restart");
        assertThat(request(new Restarts.Answer.Begins(), "{\"reason\": \"  \"}").path("restartReason").asString())
                .isEqualTo("tool:self-restart");
    }

    @Test
    void aRequestTooSoonIsRateLimitedAndSaysWhenToAskAgain() {
        ToolException refused = catchThrowableOfType(ToolException.class,
                () -> request(new Restarts.Answer.TooSoon(Duration.ofMillis(61_500)), "{}"));

        assertThat(refused.code()).isEqualTo("E_TOOL_RATE_LIMITED");
        assertThat(refused).hasMessageContaining("in 62 s");
    }

    @Test
    void withoutAnybodyToStartItAgainAWorkerStays() {
        ToolException refused = catchThrowableOfType(ToolException.class,
                () -> request(new Restarts.Answer.Unattended(), "{}"));

        assertThat(refused.code()).isEqualTo("E_TOOL");
        assertThat(refused.suggestion()).contains("operator");
    }

    private JsonNode request(Restarts.Answer answer, String input) throws Exception {
        SelfRestartModule module = new SelfRestartModule(reason -> {
            asked.add(reason);
            return answer;
        });
        try (FakeToolContext ctx = FakeToolContext.in(Path.of("."))) {
            Object output = requireNonNull(requireNonNull(module.handlers().get("request")).handle(ctx,
                    (ObjectNode) Json.MAPPER.readTree(input)));
            return Json.MAPPER.valueToTree(((ToolOutput.Value) output).value());
        }
    }
}
