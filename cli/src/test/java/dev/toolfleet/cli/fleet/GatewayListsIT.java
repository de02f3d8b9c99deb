package dev.toolfleet.cli.fleet;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Lists of the gateway of a whole fleet, whose catalog service requires a token that no client of the gateway has.
class GatewayListsIT {
    private static final String TOKEN = "token-of-the-catalog-service";
    private static final String AGENT = "/v1/instances/chat%2F1/agents/coder";
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}]
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aClientOfTheGatewayReadsTheNewestCatalogTheAgentsAndTheErrors() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)),
                Map.of(OneJvmFleet.HTTP_PORT, "0", "catalog.http.token", TOKEN));
        try (ProgressNote progress = new ProgressNote(new Terminal(new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()), false, false, 160));
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            String gateway = fleet.gatewayUrl().orElseThrow();
            JsonNode step = json(
                    send(gateway + AGENT + "/steps?format=openai", "{\"turnId\":\"t\",\"stepId\":\"s 1\"}"));

            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                    send(gateway + AGENT + "/catalog?format=openai", "").headers().firstValue("Toolfleet-Step-Id"))
                    .contains("s%201"));
            HttpResponse<String> catalog = send(gateway + AGENT + "/catalog?format=openai", "");
            assertThat(json(catalog).path("tools")).isEqualTo(step.path("tools"));
            assertThat(json(catalog).path("digest")).isEqualTo(step.path("digest"));
            assertThat(send(gateway + AGENT.replace("coder", "other") + "/catalog", "").statusCode()).isEqualTo(404);
            assertThat(send(fleet.catalogUrl().orElseThrow() + AGENT + "/catalog", "").statusCode()).isEqualTo(401);

            assertThat(json(send(gateway + "/v1/agents", "")).path("agents").findValuesAsString("name"))
                    .contains("coder");
            send(gateway + AGENT + "/calls",
                    "{\"id\":\"c\",\"name\":\"no__tool\",\"turnId\":\"t\",\"stepId\":\"s 1\"}");
            await().atMost(Duration.ofMinutes(1)).untilAsserted(
                    () -> assertThat(json(send(gateway + "/v1/errors?instance=chat%2F1", "")).path("errors")
                            .findValuesAsString("toolName")).containsExactly("no__tool"));
            assertThat(json(send(gateway + "/v1/dead-letters", "")).path("letters").isEmpty()).isTrue();
            assertThat(json(send(gateway + "/v1/approvals", "")).path("approvals").isEmpty()).isTrue();
        }
    }

    /// Posts a body; reads when it is empty.
    private HttpResponse<String> send(String url, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofMinutes(1));
        return http.send(body.isEmpty()
                ? request.build()
                : request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body());
    }
}
