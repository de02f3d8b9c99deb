package dev.toolfleet.gateway.rest;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// A step is announced and answered with its catalog in one request.
class StepRouteTest {
    private static final String PATH = "/v1/instances/telegram%3A1/agents/coder/steps";

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
