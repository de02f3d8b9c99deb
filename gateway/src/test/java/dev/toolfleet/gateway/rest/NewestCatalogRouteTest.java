package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.NewestCatalogs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

class NewestCatalogRouteTest {
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

    private void answering(TestGateway asked, Answer<NewestCatalogs.Shown> answer) {
        asked.lists().catalogs = (instance, agent, format, validator) -> {
            read.add(String.join(" ", Arrays.asList(instance, agent, "" + format, "" + validator)));
            return answer;
        };
    }

    @Test
    void theCatalogOfTheNewestStepIsShownAsTheServiceShowsIt() {
        answering(gateway, new Answer.Found<>(new NewestCatalogs.Shown(
                Map.of("etag", "\"sha256:1\"", "toolfleet-step-id", "s%201"), BODY)));

        HttpResponse<String> answer = gateway.get(PATH + "?format=openai");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(new String(BODY, StandardCharsets.UTF_8));
        assertThat(header(answer, "ETag")).isEqualTo("\"sha256:1\"");
        assertThat(header(answer, "Toolfleet-Step-Id")).isEqualTo("s%201");
        assertThat(read).containsExactly("i/1 coder openai null");
    }

    @Test
    void aClientThatHasTheCatalogGetsTheNameOfTheStepOnly() {
        answering(gateway, new Answer.Found<>(new NewestCatalogs.Shown(Map.of("toolfleet-step-id", "s2"), null)));

        HttpResponse<String> answer = gateway.get(PATH, "If-None-Match", "\"sha256:1\"");

        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(header(answer, "Toolfleet-Step-Id")).isEqualTo("s2");
        assertThat(read).containsExactly("i/1 coder null \"sha256:1\"");
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
}
