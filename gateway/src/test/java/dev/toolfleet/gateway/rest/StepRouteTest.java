package dev.toolfleet.gateway.rest;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// A step is announced and answered with its catalog in one request.
class StepRouteTest {
    private static final String PATH = "/v1/instances/telegram%3A1/agents/coder/steps";

    private static final String STEP = "{\"turnId\":\"t\",\"stepId\":\"s\"}";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aStepIsAnsweredWithItsCatalog() {
        HttpResponse<String> answer = gateway.post(PATH,
                "{\"turnId\":\"t\",\"stepId\":\"s\",\"stepIndex\":3,\"userId\":\"u\",\"hints\":{\"a\":1}}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("digest").asString()).isEqualTo("sha256:00");
        assertThat(json(answer).path("tools").isArray()).isTrue();
        StepStarted step = fleet.begun.getFirst();
        assertThat(step.instanceKey()).isEqualTo("telegram:1");
        assertThat(step.agentName()).isEqualTo("coder");
        assertThat(step.stepIndex()).isEqualTo(3);
        assertThat(step.hints()).hasToString("{\"a\":1}");
    }

    @Test
    void aStepIsShownInTheFormatOfAProvider() {
        fleet.tools.add(new ToolCatalogItem("bash.exec", "Runs.", Json.MAPPER.createObjectNode(),
                new ToolSource(ToolSource.CONFIG, "bash"), new ToolRef("acme", "bash", "exec"), null));

        JsonNode openai = json(gateway.post(PATH + "?format=openai", STEP));
        JsonNode anthropic = json(gateway.post(PATH + "?format=anthropic", STEP));
        JsonNode plain = json(gateway.post(PATH, STEP));

        String name = openai.path("tools").path(0).path("function").path("name").asString();
        assertThat(name).startsWith("bash_exec_");
        assertThat(openai.path("names").path(name).asString()).isEqualTo("bash.exec");
        assertThat(openai.path("format").asString()).isEqualTo("openai");
        assertThat(anthropic.path("tools").path(0).path("input_schema").path("type").asString()).isEqualTo("object");
        assertThat(plain.path("tools").path(0).path("name").asString()).isEqualTo("bash.exec");
        assertThat(plain.path("format").asString()).isEqualTo("toolfleet");
        HttpResponse<String> unknown = gateway.post(PATH + "?format=gemini", STEP);
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(json(unknown).path("detail").asString()).contains("'gemini'", "openai");
        assertThat(fleet.begun).as("an unknown format announces nothing").hasSize(3);
    }

    @Test
    void aStepNamesTheDeclaredToolsThatItDoesNotShow() {
        HttpResponse<String> answer = gateway.post(PATH, STEP);

        assertThat(header(answer, "Toolfleet-Left-Out")).isEqualTo("4");
        assertThat(json(answer).path("notes").findValuesAsString("tool")).containsExactly("n", "bash__exec", "t__write",
                "rm");
        assertThat(json(answer).path("notes").path(3).path("note").asString()).contains("does not show");
    }

    @Test
    void anEmptyStepOfAnUndeclaredAgentSaysWhy() {
        HttpResponse<String> answer = gateway.post("/v1/instances/i/agents/typo/steps", STEP);

        assertThat(header(answer, "Toolfleet-Left-Out")).isEqualTo("0");
        assertThat(json(answer).path("notes").path(0).path("note").asString())
                .startsWith("No bundle declares this Agent");
    }

    @Test
    void aStepEnds() {
        HttpResponse<String> answer = gateway.post(PATH + "/t%2F1/s/end", "{\"stepIndex\":3}");
        gateway.send(gateway.request(PATH + "/t/s2/end").POST(BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(fleet.ended).containsExactly(new StepEnded("telegram:1", "coder", "t/1", "s", 3),
                new StepEnded("telegram:1", "coder", "t", "s2", null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"stepId":"s"}                              | 'turnId' is missing
            {"turnId":"t"}                              | 'stepId' is missing
            {"turnId":"t","stepId":""}                  | 'stepId' has 0 characters
            {"turnId":"t","stepId":7}                   | 'stepId' must be text
            {"turnId":"t","stepId":"s","stepIndex":"1"} | 'stepIndex' must be a whole number
            {"turnId":"t","stepId":"s","hints":[]}      | 'hints' must be an object
            {"turnId":"t","stepId":"s","agentName":"a"} | 'agentName' is unknown
            """, quoteCharacter = '\u0001')
    void aBadStepIsRefusedByTheNameOfItsField(String body, String expected) {
        HttpResponse<String> answer = gateway.post(PATH, body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains(expected);
        assertThat(fleet.begun).isEmpty();
    }
}
