package dev.toolfleet.cli.docker;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Dashboard and alert rules read what a running worker, catalog service and gateway export, label by label.
class ObservedIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: later}
            spec:
              entry: java:dev.toolfleet.cli.command.LaterTools
              exports:
                - name: start
                  description: Begins work that finishes later.
                  parameters: {type: object, properties: {handle: {type: string}, token: {type: string}}}
                  annotations: {readOnly: true}
                  async: {timeout: 1h}
                  limits: {maxConcurrent: 2, circuitBreaker: {failureRate: 50, window: 10, openFor: 30s}}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/later]
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyQueryReadsWhatIsExported() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)),
                Map.of(OneJvmFleet.HTTP_PORT, "0", OneJvmFleet.WORKER_HTTP_PORT, "0"));
        StringWriter err = new StringWriter();
        try (ProgressNote progress = new ProgressNote(
                new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false, 160));
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
                ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("test"));
                Completions completions = Completions.open(fleet.clientConfig("test-completions"));
                HttpClient http = HttpClient.newHttpClient()) {
            client.beginStep(new StepStarted("i", "coder", "t", "s", 1, null, null, null)).toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            // One ends, one stays open, whoever guesses its token, and one reaches no tool.
            for (String handle : List.of("ended", "open")) {
                first(client, ToolCall.of(handle, "later__start",
                        Json.MAPPER.createObjectNode().put("handle", handle).put("token", "secret"), "i"));
            }
            first(client, ToolCall.of("nobody", "made__up", Json.MAPPER.createObjectNode(), "i"));
            completions.completed("ended", null, "secret").toCompletableFuture().get(60, TimeUnit.SECONDS);
            completions.completed("open", null, "guess").toCompletableFuture().get(60, TimeUnit.SECONDS);

            // A page of another site is rejected.
            String gateway = fleet.gatewayUrl().orElseThrow();
            assertThat(http.send(HttpRequest.newBuilder(URI.create(gateway + "/v1/agents"))
                    .header("Origin", "https://evil.example").build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(403);

            // Some gauges are walked for every few seconds, and the first request is counted when it has ended.
            List<Observed> all = Observed.all();
            await().atMost(Duration.ofMinutes(2)).ignoreExceptions().untilAsserted(() -> {
                Scrape exported = scrape(http, fleet.workerUrl().orElseThrow())
                        .with(scrape(http, fleet.catalogUrl().orElseThrow())).with(scrape(http, gateway));
                assertThat(all).flatExtracting(each -> each.unknown(exported)).isEmpty();
            });
        }
    }

    private static void first(ToolFleetClient client, ToolCall call) throws Exception {
        client.call(call.inStep("coder", "t", "s", 1)).firstResult().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static Scrape scrape(HttpClient http, String url) throws Exception {
        var answer = http.send(HttpRequest.newBuilder(URI.create(url + "/metrics")).timeout(Duration.ofSeconds(10))
                .build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(url).isEqualTo(200);
        return Scrape.of(answer.body());
    }
}
