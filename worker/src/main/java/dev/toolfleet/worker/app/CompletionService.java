package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.streams.StreamsStartException;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.completion.CompletionSetup;
import dev.toolfleet.worker.completion.CompletionTopology;
import dev.toolfleet.worker.completion.HandleModules;
import dev.toolfleet.worker.completion.HandleTopics;
import dev.toolfleet.worker.completion.ModuleCalls;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/// The topology of pending calls in a worker's life. Calls do not wait for it: what goes pending meanwhile stands on
/// `tool.pending`.
final class CompletionService implements AutoCloseable {
    /// Much longer than it takes: what is restored first may be large, and the worker works.
    private static final Duration START = Duration.ofMinutes(10);
    private static final String NAME = "the topology of pending calls";

    private final ModuleCalls modules;
    private final StateFolder folder;
    private final StreamsRun run;
    private volatile boolean closing;

    /// Not started yet.
    ///
    /// @param folder closed with this
    CompletionService(WorkerConfig config, StateFolder folder, PartitionCounts counts, HandleModules tools,
            WorkerMeters meters,
            InstantSource clock) {
        this.modules = new ModuleCalls(tools);
        this.folder = folder;
        this.run = new StreamsRun(NAME, CompletionTopology.of(new CompletionSetup(config.topics(),
                config.identity().name(), counts.of(Topic.PENDING), counts.groupA(), modules, meters, clock)),
                settings(config), producer -> new ChainedProducer(producer, config.topics().name(Topic.AUDIT),
                        "/toolfleet/worker/" + config.identity().name(), true));
    }

    /// Checks that the state of open handles still lies where `tool.pending` leads to.
    ///
    /// @throws IllegalStateException when partitions were added to that topic
    static void check(Admin admin, WorkerConfig config, PartitionCounts counts, Duration atMost) {
        HandleTopics.check(admin, applicationId(config), config.topics().name(Topic.PENDING),
                counts.of(Topic.PENDING), atMost);
    }

    private static String applicationId(WorkerConfig config) {
        return config.identity().group() + "-completions";
    }

    private StreamsSettings settings(WorkerConfig config) {
        Map<String, String> kafka = new HashMap<>();
        // A record may have a megabyte, and what is read ahead lies on the heap.
        kafka.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, "50");
        kafka.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "200");
        kafka.putAll(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        kafka.keySet().removeAll(KafkaClients.PLACING);
        // Stores hold whole calls.
        kafka.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topic.MAX_WRAPPING_RECORD_BYTES));
        return new StreamsSettings(applicationId(config), folder.path(),
                config.folders().completion().replication(), kafka);
    }

    /// Begins; returns at once.
    ///
    /// @param broken told when it cannot go on, and that this worker should end
    void start(Consumer<RuntimeException> broken) {
        var _ = run.stopped().whenComplete((none, problem) -> {
            if (problem != null)
                broken.accept(new IllegalStateException(NAME + " cannot go on", problem));
        });
        Thread.ofVirtual().name("completions-start").start(() -> {
            try {
                run.start(START);
            } catch (StreamsStartException e) {
                if (!closing)
                    broken.accept(e);
            }
        });
    }

    boolean isRunning() {
        return run.isRunning();
    }

    @Override
    public void close() {
        closing = true;
        run.close();
        modules.close();
        folder.close();
    }
}
