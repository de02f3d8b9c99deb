package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.streams.StreamsStartException;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/// The topology of pending calls in a worker's life. Calls do not wait for it: what goes pending meanwhile stands on
/// `tool.pending`.
public final class CompletionService implements AutoCloseable {
    /// Much longer than it takes: what is restored first may be large, and the worker works.
    private static final Duration START = Duration.ofMinutes(10);
    private static final String NAME = "the topology of pending calls";

    private final ModuleCalls modules;
    private final StateFolder folder;
    private final StreamsRun run;
    private volatile boolean closing;

    /// Settings of the topology.
    ///
    /// @param group of the workers
    /// @param worker the name of the worker
    /// @param replication copies of the state in Kafka; -1 for the brokers' default
    public record Setup(KafkaConfig kafka, Topics topics, String group, String worker, int replication) {}

    /// Not started yet.
    ///
    /// @param folder closed with this
    /// @param guard decides what of progress is published
    public CompletionService(Setup setup, StateFolder folder, PartitionCounts counts, ToolRegistry registry,
            ResultGuard guard, WorkerMeters meters, InstantSource clock) {
        this.modules = new ModuleCalls(new RegistryModules(registry, guard));
        this.folder = folder;
        this.run = new StreamsRun(NAME, CompletionTopology.of(new CompletionSetup(setup.topics(), setup.worker(),
                counts.of(Topic.PENDING), counts.groupA(), modules, meters, clock)),
                settings(setup, folder), producer -> new ChainedProducer(producer, setup.topics().name(Topic.AUDIT),
                        "/toolfleet/worker/" + setup.worker(), true));
    }

    /// Checks that the state of open handles still lies where `tool.pending` leads to.
    ///
    /// @throws IllegalStateException when partitions were added to that topic
    public static void check(Admin admin, Setup setup, PartitionCounts counts, Duration atMost) {
        HandleTopics.check(admin, applicationId(setup), setup.topics().name(Topic.PENDING),
                counts.of(Topic.PENDING), atMost);
    }

    private static String applicationId(Setup setup) {
        return setup.group() + "-completions";
    }

    private static StreamsSettings settings(Setup setup, StateFolder folder) {
        Map<String, String> kafka = new HashMap<>();
        // A record may have a megabyte, and what is read ahead lies on the heap.
        kafka.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, "50");
        kafka.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "200");
        kafka.putAll(setup.kafka().properties());
        kafka.put("bootstrap.servers", setup.kafka().bootstrapServers());
        kafka.keySet().removeAll(RecordWriter.PLACING);
        // Stores hold whole calls.
        kafka.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topic.MAX_WRAPPING_RECORD_BYTES));
        return new StreamsSettings(applicationId(setup), folder.path(),
                setup.replication(), kafka);
    }

    /// Begins; returns at once.
    ///
    /// @param broken told when it cannot go on, and that this worker should end
    public void start(Consumer<RuntimeException> broken) {
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

    public boolean isRunning() {
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
