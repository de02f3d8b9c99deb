package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.InstanceViews;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

class InstanceViewRouteTest {
    private static final String PATH = "/v1/instances/i%2F1/agents/coder/catalog";
    private static final byte[] BODY = CatalogFormat.OPENAI.render(List.of()).json("sha256:1").toString()
            .getBytes(StandardCharsets.UTF_8);

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);
    private final List<String> read = new ArrayList<>();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void answering(TestGateway asked, Answer<InstanceViews.Shown> answer) {
        asked.lists().views = (view, instance, agent, parameters, validator) -> {
            read.add(String.join(" ", Arrays.asList(view.path(), instance, agent, "" + parameters, "" + validator)));
            return answer;
        };
    }

    @Test
    void theCatalogOfTheNewestStepIsShownAsTheServiceShowsIt() {
        answering(gateway, new Answer.Found<>(new InstanceViews.Shown(200,
                Map.of("content-type", "application/json", "etag", "\"sha256:1\"", "toolfleet-step-id", "s%201"),
                BODY)));

        HttpResponse<String> answer = gateway.get(PATH + "?format=openai");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(new String(BODY, StandardCharsets.UTF_8));
        assertThat(header(answer, "ETag")).isEqualTo("\"sha256:1\"");
        assertThat(header(answer, "Toolfleet-Step-Id")).isEqualTo("s%201");
        assertThat(read).containsExactly("catalog i/1 coder {format=openai} null");
    }

    @Test
    void aClientThatHasTheCatalogGetsTheNameOfTheStepOnly() {
        answering(gateway, new Answer.Found<>(new InstanceViews.Shown(304, Map.of("toolfleet-step-id", "s2"), null)));

        HttpResponse<String> answer = gateway.get(PATH, "If-None-Match", "\"sha256:1\"");

        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(header(answer, "Toolfleet-Step-Id")).isEqualTo("s2");
        assertThat(read).containsExactly("catalog i/1 coder {} \"sha256:1\"");
    }

    @Test
    void anUnknownStepAServiceThatIsAwayAndNoServiceDiffer() {
        HttpResponse<String> none = gateway.get(PATH);
        answering(gateway, new Answer.Unknown<>("no step was announced"));
        HttpResponse<String> unknown = gateway.get(PATH);
        answering(gateway, new Answer.Unavailable<>("the catalog service does not answer"));
        HttpResponse<String> away = gateway.get(PATH);

        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(json(none).path("detail").asString()).contains("gateway.catalog.url");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(json(unknown).path("detail").asString()).contains("'coder'", "'i/1'", "no step was announced");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(header(away, "Retry-After")).isEqualTo("1");
    }

    @Test
    void whatThePrincipalMayNotReadIsNotForwarded() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:list",
                "a.instances", "j", "b.tokenHash", TestGateway.hash("u"), "b.scopes", "tools:call");
        for (String token : List.of("t", "u"))
            try (TestGateway one = new TestGateway(fleet, fleet.calls, settings, token)) {
                answering(one, new Answer.Unavailable<>("it was asked"));
                assertThat(one.get(PATH).statusCode()).isEqualTo(403);
            }
        answering(gateway, new Answer.Unavailable<>("it was asked"));
        assertThat(gateway.get(PATH + "?format=gemini").statusCode()).isEqualTo(400);
        assertThat(gateway.get(PATH + "?hop=1").statusCode()).isEqualTo(400);
        assertThat(read).isEmpty();
    }

    @Test
    void promptAndSessionAreShownAsTheirServicesShowThem() {
        String agent = "/v1/instances/i%2F1/agents/coder/";
        shows("{'text':'','digest':'d','boundary':0,'sections':[],'dropped':[],'shortened':[]}");
        assertThat(gateway.get(agent + "prompt?mode=minimal&maxTokens=9").statusCode()).isEqualTo(200);
        shows("{'instanceKey':'i/1','agentName':'coder','seq':1,'view':'model','messages':[],'findings':[]}");
        assertThat(gateway.get(agent + "messages?view=model").body()).contains("'findings':[]".replace('\'', '"'));
        shows("{'instanceKey':'i/1','agentName':'coder','seq':1,'messages':0,'tokens':0,'usableTokens':9,"
                + "'status':'safe','digest':'d','lastToken':0,'updatedAt':'2026-11-28T00:00:00Z'}");
        assertThat(gateway.get(agent + "session").statusCode()).isEqualTo(200);
        assertThat(gateway.get(agent + "session?view=model").statusCode()).isEqualTo(400);

        assertThat(read).containsExactly("prompt i/1 coder {mode=minimal, maxTokens=9} null",
                "messages i/1 coder {view=model} null", "session i/1 coder {} null");
    }

    private void shows(String json) {
        answering(gateway, new Answer.Found<>(new InstanceViews.Shown(200, Map.of("content-type", "application/json"),
                json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aProblemOfTheServiceIsPassedOn() {
        answering(gateway, new Answer.Found<>(new InstanceViews.Shown(422,
                Map.of("content-type", "application/problem+json"), """
                        {"type": "urn:toolfleet:problem:prompt-too-large", "title": "t", "status": 422, "detail": "d",
                         "instance": "/v1/instances/i/agents/coder/prompt"}""".getBytes(StandardCharsets.UTF_8))));

        HttpResponse<String> answer = gateway.get("/v1/instances/i/agents/coder/prompt");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void sessionsNeedARightOfTheirOwn() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:list",
                "b.tokenHash", TestGateway.hash("u"), "b.scopes", "sessions:read");
        String messages = "/v1/instances/i/agents/coder/messages";
        try (TestGateway one = new TestGateway(fleet, fleet.calls, settings, "t")) {
            assertThat(one.get(messages).statusCode()).isEqualTo(403);
        }
        try (TestGateway other = new TestGateway(fleet, fleet.calls, settings, "u")) {
            HttpResponse<String> none = other.get(messages);
            assertThat(none.statusCode()).isEqualTo(404);
            assertThat(json(none).path("detail").asString()).contains("gateway.session.url");
            assertThat(other.get("/v1/instances/i/agents/coder/prompt").statusCode()).isEqualTo(403);
        }
    }
}
