package dev.toolfleet.catalog.http;

import java.net.http.HttpResponse;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.catalog.http.FakeService.DIGEST;
import static dev.toolfleet.catalog.http.FakeService.json;
import static dev.toolfleet.catalog.http.FakeService.path;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogRouteTest {
    private final FakeService service = new FakeService().has("telegram:123", "coder", item());

    @AfterEach
    void close() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({"toolfleet, /name", "openai, /function/name", "anthropic, /name", "mcp, /name"})
    void theNewestStepsCatalogIsServedInEachFormat(String format, String name) {
        HttpResponse<String> answer = service.get(path("telegram:123", "coder") + "?format=" + format);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonNode body = json(answer);
        assertThat(body.path("format").asString()).isEqualTo(format);
        assertThat(body.path("digest").asString()).isEqualTo(DIGEST);
        String called = body.path("tools").path(0).at(name).asString();
        assertThat(body.path("names").path(called).asString()).isEqualTo("file.read");
    }

    @Test
    void withoutAFormatItIsToolfleetsOwnWithTheStepInHeaders() {
        HttpResponse<String> answer = service.get(path("telegram:123", "coder"));

        assertThat(json(answer).path("format").asString()).isEqualTo("toolfleet");
        assertThat(answer.headers().firstValue("Toolfleet-Turn-Id")).hasValue("t%201");
        assertThat(answer.headers().firstValue("Toolfleet-Step-Id")).hasValue("s%2F1");
        assertThat(answer.headers().firstValue("Toolfleet-Step-Ended")).hasValue("false");
        assertThat(answer.headers().firstValue("Toolfleet-Revision")).hasValue("7");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("private, no-cache");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"sha256:0123\"", "W/\"sha256:0123\"", "*", "\"other\", W/\"sha256:0123\" , \"x\""})
    void whoHasTheDigestIsToldThatNothingChanged(String known) {
        HttpResponse<String> answer = service.get(path("telegram:123", "coder"), "If-None-Match", known);

        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("ETag")).hasValue("\"" + DIGEST + "\"");
        assertThat(answer.headers().firstValue("Toolfleet-Step-Id")).hasValue("s%2F1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"sha256:01234\"", "sha256:0123", "\"a,sha256:0123\"", "\"\""})
    void whoHasAnotherGetsTheCatalog(String known) {
        HttpResponse<String> answer = service.get(path("telegram:123", "coder"), "If-None-Match", known);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("ETag")).hasValue("\"" + DIGEST + "\"");
    }

    @Test
    void headSaysWhatGetWould() {
        HttpResponse<String> answer = service.send("HEAD", path("telegram:123", "coder"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("ETag")).hasValue("\"" + DIGEST + "\"");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void thePromptHasTheToolsOfTheNewestStep() {
        String prompt = path("telegram:123", "coder").replace("/catalog", "/prompt");
        HttpResponse<String> answer = service.get(prompt);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Toolfleet-Step-Id")).hasValue("s%2F1");
        JsonNode body = json(answer);
        assertThat(body.path("text").asString()).contains("file.read")
                .hasSizeGreaterThan(body.path("boundary").asInt());
        assertThat(body.path("digest").asString()).startsWith("sha256:");
        assertThat(body.path("sections").valueStream().map(section -> section.path("id").asString()))
                .contains("identity", "tools");

        assertThat(json(service.get(prompt + "?mode=none")).path("text").asString()).isEmpty();
        assertThat(service.get(prompt + "?mode=all").body()).contains("The mode 'all' is unknown");
        assertThat(service.get(prompt + "?maxTokens=0").body()).contains("maxTokens '0' must be");
        HttpResponse<String> small = service.get(prompt + "?maxTokens=1");
        assertThat(small.statusCode()).isEqualTo(422);
        assertThat(small.body()).contains("urn:toolfleet:problem:prompt-too-large").contains("E_PROMPT_TOO_LARGE");
        assertThat(service.get(path("telegram:123", "other").replace("/catalog", "/prompt")).statusCode())
                .isEqualTo(404);
    }

    static List<String> keys() {
        return List.of("a/b", "a%2Fb", "/", "ü 😀", "..", ".", "a;b?c#d&e+f=g", "back\\slash", "%", "\t",
                "€".repeat(1024));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void keysAndNamesHoldAnyCharacter(String key) {
        service.has(key, key, item());

        assertThat(service.get(path(key, key)).statusCode()).isEqualTo(200);
        assertThat(service.get(path(key, key + "x")).statusCode()).isEqualTo(404);
    }

    @Test
    void anUnknownFormatIsRefusedWithTheKnownOnes() {
        assertProblem(service.get(path("telegram:123", "coder") + "?format=gemini"), 400, "invalid-request",
                "'gemini'", "toolfleet, openai, anthropic, mcp");
    }

    @Test
    void aMisspeltParameterIsRefused() {
        assertProblem(service.get(path("telegram:123", "coder") + "?fromat=mcp"), 400, "invalid-request", "'fromat'",
                "format");
    }

    @Test
    void anUnknownInstanceOrAgentIsNotFoundAndTheWayOutIsSaid() {
        assertProblem(service.get(path("x/y", "coder")), 404, "unknown-catalog", "'x/y'", "'coder'", "agent.step",
                "catalog.retention", "%2F");
    }

    @Test
    void aServiceThatCannotTellSaysWhenToAskAgain() {
        service.otherwise = new Whereabouts.Unclear("partitions are being assigned");

        HttpResponse<String> answer = service.get(path("other", "coder"));
        assertProblem(answer, 503, "not-ready", "partitions are being assigned");
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    }

    @Test
    void aContentThatHasNotArrivedIsNoEmptyCatalog() {
        try (FakeService behind = new FakeService().has("i", "coder")) {
            HttpResponse<String> answer = behind.get(path("i", "coder"));

            assertProblem(answer, 503, "not-ready", DIGEST);
            assertThat(answer.headers().firstValue("ETag")).isEmpty();
        }
    }

    static void assertProblem(HttpResponse<String> answer, int status, String type, String... details) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        JsonNode problem = json(answer);
        assertThat(problem.path("type").asString()).isEqualTo("urn:toolfleet:problem:" + type);
        assertThat(problem.path("title").asString()).isNotBlank();
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(List.of(details)).allMatch(problem.path("detail").asString()::contains);
        assertThat(problem.path("instance").asString()).startsWith("/");
    }

    static ToolCatalogItem item() {
        return new ToolCatalogItem("file.read", "reads", Json.MAPPER.createObjectNode().put("type", "object"),
                new ToolSource(ToolSource.CONFIG, "file"), new ToolRef("acme", "file", "read"), null);
    }
}
