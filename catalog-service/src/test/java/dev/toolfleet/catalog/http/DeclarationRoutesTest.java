package dev.toolfleet.catalog.http;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.resources.RegistrationOwner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.http.CatalogRouteTest.assertProblem;
import static dev.toolfleet.catalog.http.FakeService.json;
import static org.assertj.core.api.Assertions.assertThat;

class DeclarationRoutesTest {
    private final FakeService service = new FakeService();

    @BeforeEach
    void declare() {
        ObjectNode grouped = tool("pay", "send");
        ((ObjectNode) grouped.at("/spec/exports/0")).put("group", "finance");
        service.bundles.apply("@acme/base", tool("a", "z"), grouped, agent("coder", "Tool/a", "Tool/pay", "Tool/gone"))
                .apply("other", agent("coder", "Tool/a"), agent("a/b", "Tool/a"));
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void allResourcesAreListedWithWhereTheyComeFrom() {
        JsonNode list = json(service.get("/v1/resources")).path("resources");

        assertThat(keys(list)).containsExactly("@acme/base/Agent/coder", "@acme/base/Tool/a", "@acme/base/Tool/pay",
                "other/Agent/a/b", "other/Agent/coder");
        JsonNode first = list.path(0);
        assertThat(first.path("bundle").asString()).isEqualTo("@acme/base");
        assertThat(first.path("revision").asInt()).isEqualTo(1);
        assertThat(first.at("/source/type").asString()).isEqualTo("config");
        assertThat(first.at("/resource/kind").asString()).isEqualTo("Agent");
    }

    @Test
    void theyAreSelectedByGroupAndSource() {
        assertThat(keys(json(service.get("/v1/resources?group=finance")).path("resources")))
                .containsExactly("@acme/base/Tool/pay");
        assertThat(keys(json(service.get("/v1/resources?group=none")).path("resources"))).isEmpty();
        assertThat(keys(json(service.get("/v1/resources?source=config")).path("resources"))).hasSize(5);
        assertThat(keys(json(service.get("/v1/resources?source=mcp&group=finance")).path("resources"))).isEmpty();
        assertProblem(service.get("/v1/resources?source=file"), 400, "invalid-request", "'file'",
                "config, extension, mcp");
        assertProblem(service.get("/v1/resources?groups=finance"), 400, "invalid-request", "'groups'");
    }

    @Test
    void whatIsRegisteredIsListedWithItsOwnerWhileItsLeaseLasts() {
        Instant lease = service.now.plusSeconds(30);
        RegistrationOwner weather = RegistrationOwner.extension("other", "coder", "weather");
        service.bundles.register(weather, service.now, lease, "sky__look", "sea__look");
        service.bundles.register(weather.server("hub"), service.now, service.now.plusSeconds(3600), "hub__find");

        JsonNode list = json(service.get("/v1/resources?source=extension")).path("resources");
        assertThat(keys(list)).containsExactly("extension:other/coder/weather/Tool/sea__look",
                "extension:other/coder/weather/Tool/sky__look");
        assertThat(list.path(0).path("owner").toString())
                .isEqualTo("{\"bundle\":\"other\",\"agent\":\"coder\",\"extension\":\"weather\"}");
        assertThat(list.path(0).path("lease").asString()).isEqualTo(lease.toString());
        assertThat(list.path(0).path("worker").asString()).isEqualTo("w1");
        assertThat(list.path(0).at("/resource/spec/exports/0/name").asString()).isEqualTo("look");
        JsonNode found = json(service.get("/v1/resources?source=mcp")).path("resources");
        assertThat(keys(found)).containsExactly("mcp:other/coder/weather/hub/Tool/hub__find");
        assertThat(found.at("/0/owner/server").asString()).isEqualTo("hub");
        assertThat(keys(json(service.get("/v1/resources")).path("resources"))).hasSize(8);
        assertThat(keys(json(service.get("/v1/resources?source=config")).path("resources"))).hasSize(5);

        service.now = lease.plusSeconds(60);
        assertThat(keys(json(service.get("/v1/resources?source=extension")).path("resources"))).isEmpty();
        assertThat(keys(json(service.get("/v1/resources?source=mcp")).path("resources"))).hasSize(1);
    }

    @Test
    void anAgentsExportsHoldWhatIsRegisteredForItWhileItsLeaseLasts() {
        ObjectNode agent = Bundles.using(agent("guide", "Tool/a"), "weather", config -> {});
        service.bundles.apply("third", tool("a", "z"), agent);
        service.bundles.register(RegistrationOwner.extension("third", "guide", "weather"), service.now,
                service.now.plusSeconds(30), "sky__look");
        assertThat(service.get("/v1/agents/guide").body()).contains("sky__look");

        service.now = service.now.plusSeconds(60);
        assertThat(service.get("/v1/agents/guide").body()).contains("a__z").doesNotContain("sky__look");
    }

    @Test
    void agentsAreListedOnceWithTheBundleThatCounts() {
        JsonNode agents = json(service.get("/v1/agents")).path("agents");

        assertThat(agents.valueStream().map(agent -> agent.path("name").asString())).containsExactly("a/b", "coder");
        assertThat(agents.path(1).path("bundle").asString()).isEqualTo("@acme/base");
        assertThat(agents.path(1).at("/alsoIn/0").asString()).isEqualTo("other");
        assertThat(agents.path(1).path("tools")).hasSize(3);
    }

    @Test
    void anAgentIsShownWithItsExportsAndWhatIsWrongWithIt() {
        JsonNode agent = json(service.get("/v1/agents/coder"));

        assertThat(agent.path("exports").valueStream().map(export -> export.path("name").asString()))
                .containsExactly("a__z", "pay__send");
        assertThat(agent.at("/exports/1/group").asString()).isEqualTo("finance");
        assertThat(agent.at("/exports/1/tool/bundle").asString()).isEqualTo("@acme/base");
        assertThat(agent.path("problems").toString()).contains("Tool/gone");
        assertThat(service.get("/v1/agents/a%2Fb").statusCode()).isEqualTo(200);
    }

    @Test
    void anUnknownAgentIsToldWhichThereAre() {
        assertProblem(service.get("/v1/agents/codr"), 404, "unknown-agent", "'codr'", "toolfleet apply", "a/b, coder");
    }

    @Test
    void anAnswerThatDidNotChangeIsNotSentAgain() {
        for (String path : List.of("/v1/resources", "/v1/agents", "/v1/agents/coder")) {
            HttpResponse<String> first = service.get(path);
            String tag = first.headers().firstValue("ETag").orElseThrow();
            assertThat(service.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
        }
        String tag = service.get("/v1/resources").headers().firstValue("ETag").orElseThrow();
        service.bundles.apply("other", agent("reviewer", "Tool/a"));
        assertThat(service.get("/v1/resources", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    private static List<String> keys(JsonNode list) {
        return list.valueStream().map(resource -> resource.path("key").asString()).toList();
    }
}
