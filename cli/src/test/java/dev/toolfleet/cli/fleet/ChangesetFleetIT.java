package dev.toolfleet.cli.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.Repositories;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// An agent that improves its own bundle, in a fleet of a worker and a catalog service. Both the changesets and the
/// files of bundles are in one repository.
@EmbeddedKafkaTest
class ChangesetFleetIT {
    private static final String INSTANCE = "chat/1";
    private static final String NAME = "@acme/desk";
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/desk"}
            spec: {version: 1.0.0}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: helper}
            spec:
              tools:
                - Tool/notes
                - {kind: Tool, name: file-system, package: "@toolfleet/base"}
                - {kind: Tool, name: swarm-bundle, package: "@toolfleet/base"}
            ---
            apiVersion: goondan.ai/v1
            kind: Swarm
            metadata: {name: desk}
            spec:
              entryAgent: Agent/helper
              agents: [Agent/helper]
              policy: {changesets: {enabled: true, allowed: {files: ["tools/**"]}}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: desk}
            spec:
              rules:
                - {id: edits, tool: [file-system__write, swarm-bundle__openChangeset], verdict: allow}
                - {id: looks, flag: readOnly, verdict: allow}
            """;
    private static final String TOOL = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: notes}
            spec:
              entry: ./tools/notes.mjs
              exports:
                - name: whisper
                  description: Returns the text in lower case.
                  annotations: {readOnly: true}
            """;
    private static final String CODE = "export const handlers = { whisper: (ctx, input) => input.text.toLowerCase() };\n";

    @TempDir
    private Path folder = Path.of("");
    private int steps;
    private int calls;

    @Test
    void whatAnAgentCommitsItsNextStepSees(KafkaFixture kafka) throws Exception {
        GitAddress repository = Repositories.create(folder.resolve("fleet.git"));
        Repositories.push(repository, "Begin",
                Map.of(NAME + "/toolfleet.yaml", BUNDLE, NAME + "/tools/notes.yaml", TOOL,
                        NAME + "/tools/notes.mjs", CODE));
        Topics topics = new Topics(kafka.prefix());
        Map<String, Object> servers = Map.of("bootstrap.servers", kafka.bootstrapServers());
        new FleetTopics(topics, servers, Duration.ofMinutes(1)).create(OptionalInt.of(1), OptionalInt.empty());
        publish(new BundlePublisher(topics.name(Topic.RESOURCE), servers, InstantSource.system()));
        ClientConfig config = ClientConfig.of(kafka.bootstrapServers()).on(topics);

        try (CatalogService catalog = new CatalogService(new CatalogConfig(kafka.newGroup(), topics,
                Map.of("bootstrap.servers", kafka.bootstrapServers()), folder.resolve("catalog"), Duration.ofHours(1),
                -1,
                folder), Optional.empty());
                Worker worker = worker(kafka, topics, repository);
                ToolFleetClient client = ToolFleetClient.open(config.named("runtime"));
                Decisions person = Decisions.open(config.named("person"));
                AgentInbox inbox = AgentInbox.open(config.named("inbox"), kafka.newGroup())) {
            catalog.start();
            await().atMost(Duration.ofMinutes(1)).until(() -> worker.awaitReady(Duration.ofMillis(50)));
            StepCatalogView first = step(client);
            assertThat(first.tools()).extracting(ToolCatalogItem::name)
                    .contains("notes__whisper", "swarm-bundle__commitChangeset").doesNotContain("notes__shout");

            JsonNode open = output(call(client, first, "swarm-bundle__openChangeset", args("reason", "Shout")));
            String id = open.path("changesetId").asString();
            String at = open.path("workdir").asString() + "/tools/";
            write(client, first, at + "notes.yaml", TOOL + TOOL.substring(TOOL.indexOf("    - name"))
                    .replace("whisper", "shout").replace("lower", "upper"));
            write(client, first, at + "notes.mjs",
                    CODE.replace(" };", ", shout: (ctx, input) => input.text.toUpperCase() };"));
            JsonNode status = output(call(client, first, "swarm-bundle__status", args("changesetId", id)));
            assertThat(status.at("/changesets/0/summary/filesChanged").toString())
                    .isEqualTo("[\"tools/notes.mjs\",\"tools/notes.yaml\"]");
            assertThat(status.at("/changesets/0").has("commit")).as("nothing is against a commit").isFalse();

            CallHandle committing = call(client, first, "swarm-bundle__commitChangeset", args("changesetId", id));
            ToolResult question = get(committing.firstResult());
            assertThat(question.status()).as(question.toString()).isEqualTo(ResultStatus.PENDING);
            assertThat(String.valueOf(question.output())).as("the approver sees the changes")
                    .contains("+export const handlers").contains("toUpperCase");
            get(person.approve(requireNonNull(question.handle()), "ann", null));
            JsonNode committed = output(committing);
            assertThat(committed.path("status").asString()).as(committed.toString()).isEqualTo("ok");
            assertThat(committed.path("revision").asLong()).isEqualTo(2);

            assertThat(get(call(client, first, "notes__shout", args("text", "Hey")).result()).status())
                    .as("the step of the commit does not see it").isEqualTo(ResultStatus.ERROR);
            StepCatalogView second = step(client);
            assertThat(second.tools()).extracting(ToolCatalogItem::name).contains("notes__whisper", "notes__shout");
            assertThat(output(call(client, second, "notes__shout", args("text", "Hey"))).asString()).isEqualTo("HEY");
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(inbox.next(Duration.ofSeconds(1)))
                    .anySatisfy(event -> assertThat(event.name()).isEqualTo("swarmBundle.revisionChanged")));

            String walled = output(call(client, second, "swarm-bundle__openChangeset", args("reason", "More"))).path(
                    "workdir").asString();
            write(client, second, walled + "/toolfleet.yaml", BUNDLE.replace("flag: readOnly", "tool: \"*\""));
            CallHandle refused = call(client, second, "swarm-bundle__commitChangeset",
                    args("changesetId", walled.substring(walled.lastIndexOf('/') + 1)));
            get(person.approve(requireNonNull(get(refused.firstResult()).handle()), "ann", null));
            assertThat(output(refused).at("/error/code").asString()).isEqualTo("POLICY_VIOLATION");
            assertThat(output(call(client, step(client), "swarm-bundle__status", args("changesetId", "none")))
                    .path("activeRef").asString()).isEqualTo(committed.path("newRef").asString());
        }
    }

    private void publish(BundlePublisher publisher) throws Exception {
        LocalBundle base = BuiltInBundle.read();
        publisher.publish(base.name(), base.declared());
        Path copy = Files.createDirectories(folder.resolve("copy/tools"));
        Files.writeString(copy.resolveSibling("toolfleet.yaml"), BUNDLE);
        Files.writeString(copy.resolve("notes.yaml"), TOOL);
        Files.writeString(copy.resolve("notes.mjs"), CODE);
        LocalBundle bundle = LocalBundle.of(BundleCheck.check(folder.resolve("copy")), null);
        publisher.publish(bundle.name(), bundle.declared());
    }

    private Worker worker(KafkaFixture kafka, Topics topics, GitAddress repository) {
        Map<String, Object> settings = Map.of("bundles", repository.toString(), "changesets",
                Map.of("repository", repository.toString()), "sandbox", Map.of("mode", "off"), "workspace",
                Map.of("root", folder.resolve("work").toString()), "completion",
                Map.of("stateDir", folder.resolve("state").toString()), "group", Map.of("id", kafka.newGroup()),
                "http", Map.of("port", "off"));
        return Worker.start(WorkerConfig.of(KafkaConfig.at(kafka.bootstrapServers()),
                new TopicsConfig(topics.prefix(), 1, TopicsConfig.BROKER_DEFAULT), Settings.of("worker", settings),
                "w1"));
    }

    private StepCatalogView step(ToolFleetClient client) throws Exception {
        steps++;
        return get(client.beginStep(new StepStarted(INSTANCE, "helper", "t", "s" + steps, steps, null, null, null)));
    }

    private void write(ToolFleetClient client, StepCatalogView step, String path, String text) throws Exception {
        output(call(client, step, "file-system__write", args("path", path).put("content", text)));
    }

    private CallHandle call(ToolFleetClient client, StepCatalogView step, String tool, ObjectNode args) {
        ToolCall call = ToolCall.of("c" + ++calls, tool, args, INSTANCE).inStep("helper", step.turnId(), step.stepId(),
                1);
        return client.call(call, CallOptions.within(Duration.ofMinutes(1)));
    }

    private static ObjectNode args(String name, String value) {
        return Json.MAPPER.createObjectNode().put(name, value);
    }

    private static JsonNode output(CallHandle call) throws Exception {
        ToolResult result = get(call.result());
        assertThat(result.status()).as(result.toString()).isEqualTo(ResultStatus.OK);
        return requireNonNull(result.output());
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
