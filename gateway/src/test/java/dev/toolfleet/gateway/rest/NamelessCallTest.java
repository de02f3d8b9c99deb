package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// A call whose retry would do harm needs a name, by which the retry is recognised.
class NamelessCallTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            rm      | 'rm' is declared neither readOnly nor idempotent
            unknown | 'unknown' is no export that the declarations of agent 'coder' name
            """)
    void isRefusedWithTheHeaderAndTheWayOut(String tool, String expected) {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"" + tool + "\"}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("header Idempotency-Key is missing", expected,
                "such as a UUID", "'turnId', 'stepId' and 'id'");
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void isMadeWithAKey() {
        assertThat(gateway.post(PATH, "{\"name\":\"rm\"}", "Idempotency-Key", "k").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'name':'rm','turnId':'t','stepId':'s'}", "{'name':'rm','turnId':'t','id':'c'}",
            "{'name':'rm','stepId':'s','id':'c'}", "{'name':'rm','turnId':'t','stepId':'s','id':null}"})
    void isRefusedWithAPartOfItsName(String body) {
        assertThat(gateway.post(PATH, body.replace('\'', '"')).statusCode()).isEqualTo(400);
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void isMadeWithTurnStepAndId() {
        assertThat(gateway.post(PATH, "{\"name\":\"rm\",\"turnId\":\"t\",\"stepId\":\"s\",\"id\":\"c\"}").statusCode())
                .isEqualTo(200);
    }

    @Test
    void isMadeOnceItsToolIsDeclaredAsReadOnly() {
        gateway.lists().apply("acme", MemoryLists.tool("unsafe", "readOnly", "rm"),
                MemoryLists.agent("coder", "Tool/unsafe"));
        assertThat(gateway.post(PATH, "{\"name\":\"rm\"}").statusCode()).isEqualTo(200);

        gateway.lists().apply("acme", MemoryLists.tool("unsafe", "openWorld", "rm"),
                MemoryLists.agent("coder", "Tool/unsafe"));
        assertThat(gateway.post(PATH, "{\"name\":\"rm\"}").statusCode()).as("declared anew").isEqualTo(400);
    }

    @Test
    void ofAnUndeclaredAgentIsRefused() {
        assertThat(gateway.post("/v1/instances/i/agents/nobody/calls", "{\"name\":\"n\"}").statusCode()).isEqualTo(400);
    }
}
