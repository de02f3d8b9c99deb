package dev.toolfleet.cli.approval;

import java.time.Instant;

import dev.toolfleet.client.approval.MaskedJson;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.cli.approval.Approved.ASKED;
import static org.assertj.core.api.Assertions.assertThat;

class ShownArgumentsTest {
    private static JsonNode shown(String args, String output) {
        ToolCall call = ToolCall.of("c1", "t__e", Json.MAPPER.readTree(args), "i");
        return OpenApproval.of(Approved.waiting("h-1", call, 1, Instant.EPOCH, ASKED, output)).arguments();
    }

    @Test
    void whatTheWorkerAsksAboutIsShownWithItsEscapesRead() {
        assertThat(shown("{\"key\":\"as sent\"}", """
                {"arguments": {"k\\\\u202ey": ["4111 1111 1111 1111", "a\\\\u200bb \\\\u005cu200b", 1]}}"""))
                .isEqualTo(Json.MAPPER.readTree("""
                        {"k\\u202ey": ["4111 1111 1111 1111", "a\\u200bb \\\\u200b", 1]}"""));
    }

    @Test
    void withoutItFieldsThatSoundSecretAreLeftOutAtAnyDepthAndLongTextsCut() {
        JsonNode shown = shown("""
                {"Password": "p", "db": [{"api_key": "k", "host": "h"}], "authorization": {"user": "u"},
                 "secret": null, "useToken": true, "passenger": "Ada", "text": "%s"}""".formatted("x".repeat(500)),
                "{\"message\":\"waits\"}");

        assertThat(shown.path("Password").stringValue()).isEqualTo(MaskedJson.MASKED);
        assertThat(shown.path("db").path(0)).hasToString("{\"api_key\":\"[REDACTED]\",\"host\":\"h\"}");
        assertThat(shown.path("authorization").stringValue()).isEqualTo(MaskedJson.MASKED);
        assertThat(shown.path("secret").isNull()).isTrue();
        assertThat(shown.path("useToken").booleanValue()).isTrue();
        assertThat(shown.path("passenger").stringValue()).isEqualTo("Ada");
        assertThat(shown.path("text").stringValue()).hasSize(200).endsWith("…");
    }

    @Test
    void aListKeepsNothingElseOfTheArguments() {
        ToolCall call = Approved.call("c1", "i");

        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", call, 1, Instant.EPOCH));

        assertThat(open.call().call().argsObject()).isEmpty();
        assertThat(open.call().output()).isNull();
        assertThat(open.arguments()).isEqualTo(call.args());
    }

    @Test
    void aRecordThatDoesNotSayWhatWouldRunIsNotShownWhole() {
        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", Approved.call("c1", "i"), 1, Instant.EPOCH, ASKED,
                "{\"message\":\"waits\"}"));

        assertThat(open.isShownWhole()).isFalse();
        assertThat(open.hiddenText()).contains("does not say");
    }
}
