package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.publishing.git.Repositories;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.ChangesetRules;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Broker, repository and agent of tests of changesets.
abstract class ChangesetCase {
    static final String BUNDLE = "@acme/desk";
    static final String DESK = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/desk"}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: helper}
            spec: {tools: [Tool/notes, {kind: Tool, name: swarm-bundle, package: "@toolfleet/base"}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Swarm
            metadata: {name: desk}
            spec:
              entryAgent: Agent/helper
              agents: [Agent/helper]
              policy: {changesets: {enabled: true, allowed: {files: ["tools/**", "notes.yaml"]}}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: careful}
            spec: {rules: [{id: no-shell, verdict: deny, tool: "notes__shell", reason: No shell}]}
            """;
    static final String NOTES = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: notes}
            spec:
              entry: ./tools/notes.mjs
              exports:
                - {name: write, description: Writes a note}
            """;
    static final String READ = "    - {name: read, description: Reads the notes}\n";

    @TempDir
    Path folder;
    final KafkaFixture kafka;
    final Map<String, Object> client;
    final String topic;
    final String events;
    final BundlePublisher publisher;
    GitAddress address = new GitAddress("", "", "");

    ChangesetCase(KafkaFixture kafka) {
        this.kafka = kafka;
        client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        topic = kafka.create(Topic.RESOURCE.baseName(), 1, Topic.RESOURCE.config());
        events = kafka.create(Topic.AGENT_EVENT.baseName(), 1, Map.of());
        publisher = new BundlePublisher(topic, client, InstantSource.system());
    }

    @BeforeEach
    void begin() throws Exception {
        address = Repositories.create(folder.resolve("fleet.git"));
        Repositories.push(address, "Begin", Map.of("toolfleet.yaml", DESK, "notes.yaml", NOTES, "tools/notes.mjs",
                "export const handlers = {}", "README.md", "Notes"));
        try (GitRepository git = GitRepository.open(address, Optional.empty())) {
            BundleCopies copies = new BundleCopies(git);
            publisher.publish(BUNDLE,
                    copies.read(BUNDLE, copies.tree(git.fetch(), BUNDLE).files(), Map.of()).resources());
        }
    }

    Changesets changesets() throws IOException {
        return changesets(false, null);
    }

    Changesets changesets(boolean signed, @Nullable BundleSigner signer)
            throws IOException {
        return new Changesets(new Changesets.Setup(this::fleet, publisher, signer, signed, events,
                InstantSource.system()), GitRepository.open(address, Optional.empty()));
    }

    FleetResources fleet() {
        return new ResourceReader(topic, client).readToEnd().view();
    }

    Author author() {
        String key = UUID.randomUUID().toString();
        return new Author(BUNDLE, "helper", "conversation-1", new PolicyCaller("ann", null, "helper"),
                ChangesetRules.of(fleet(), "helper"), key, key, workdir());
    }

    Path workdir() {
        try {
            return Files.createDirectories(folder.resolve("workspace/conversation-1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(OpenChangeset open, String path) {
        return new Workdirs(workdir()).folder(open.changesetId()).resolve(path);
    }

    void write(OpenChangeset open, String path, String text) throws IOException {
        Files.writeString(file(open, path), text);
    }

    long revision() {
        return fleet().bundle(BUNDLE).orElseThrow().revision();
    }

    List<String> exports() {
        return fleet().bundle(BUNDLE).orElseThrow().tool("notes").orElseThrow().exports().stream()
                .map(export -> export.name()).toList();
    }

    List<AgentEvent> events() {
        List<AgentEvent> found = new ArrayList<>();
        WireCodec<AgentEvent> codec = WireCodec.of(AgentEvent.class);
        try (TopicScan scan = TopicScan.open(client, Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(TopicScan.partitions(events, 1)),
                    record -> found.add(codec.read(record.value())));
        }
        return found;
    }
}
