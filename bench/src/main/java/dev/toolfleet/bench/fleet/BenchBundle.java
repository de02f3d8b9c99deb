package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// The bundle of a run: a module with a tool of each [Kind], and an agent that may call them.
///
/// @param module its class
public record BenchBundle(Class<? extends ToolModule> module) {
    /// The bundle's name.
    public static final String NAME = "bench";

    /// Publishes it, as the first revision, to a fleet that has none.
    public void apply(Path folder, String topic, Map<String, Object> clientProperties)
            throws IOException, InterruptedException {
        apply(yaml(), folder, topic, clientProperties);
    }

    /// Publishes a bundle's text, as the first revision, to a fleet that has none.
    static void apply(String yaml, Path folder, String topic, Map<String, Object> clientProperties)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("goondan.yaml"), yaml);
        publish(folder, topic, clientProperties);
    }

    /// Publishes the bundle in a folder under this name, as the first revision, to a fleet that has none.
    public static void apply(Path folder, Topics topics, Map<String, Object> clientProperties)
            throws IOException, InterruptedException {
        publish(folder, topics.name(Topic.RESOURCE), clientProperties);
    }

    private static void publish(Path folder, String topic, Map<String, Object> clientProperties)
            throws IOException, InterruptedException {
        Bundle bundle = BundleLoader.load(folder).bundle();
        List<SortedMap<String, String>> files = BundleFiles.of(bundle);
        List<RevisionPlan.Declared> declared = new ArrayList<>();
        for (int i = 0; i < files.size(); i++)
            declared.add(new RevisionPlan.Declared(bundle.resources().get(i).document(), files.get(i)));
        publish(declared, topic, clientProperties);
    }

    /// Publishes resources, as the first revision, to a fleet that has none.
    public static void publish(List<RevisionPlan.Declared> declared, String topic,
            Map<String, Object> clientProperties) throws IOException, InterruptedException {
        RevisionPlan plan = RevisionPlan.of(NAME, declared, new ResourceTable());
        WireCodec<ResourceRecord> codec = WireCodec.of(ResourceRecord.class);
        try (var producer = new KafkaProducer<>(new HashMap<>(clientProperties), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (RevisionPlan.Entry entry : plan.entries()) {
                ResourceRecord value = entry.value();
                producer.send(new ProducerRecord<>(topic, 0, entry.key().getBytes(StandardCharsets.UTF_8),
                        value == null ? null : codec.write(value))).get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the bundle could not be published: " + e.getMessage(), e);
        }
    }

    private String yaml() {
        return """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: %1$s}
            spec:
              entry: java:%2$s
              exports:
                - {name: %3$s, description: Reads., timeout: 60s, annotations: {readOnly: true}}
                - {name: %4$s, description: Writes the same again., timeout: 60s, annotations: {idempotent: true}}
                - {name: %5$s, description: Writes one more., timeout: 60s}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: %6$s}
            spec:
              tools: [{ref: Tool/%1$s}]
            """.formatted(Kind.TOOL, module.getName(), Kind.READ_ONLY.export(), Kind.IDEMPOTENT.export(),
                Kind.ONCE.export(), PlannedCall.AGENT);
    }
}
