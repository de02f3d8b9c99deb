package dev.toolfleet.worker.app;

import java.time.Duration;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.client.topics.TopicRole;
import dev.toolfleet.worker.completion.CompletionService;
import dev.toolfleet.worker.state.BrokerFeatures;
import org.apache.kafka.clients.admin.Admin;

/// Looks, before anything is made, whether topics and brokers are as a worker needs them.
final class FleetCheck {
    private static final Duration TOPICS = Duration.ofSeconds(10);

    private FleetCheck() {}

    /// The topics' partition counts.
    ///
    /// @param timeout of a question to the brokers
    /// @throws RuntimeException when something is not as it has to be, with the way out
    static PartitionCounts of(WorkerConfig config, Duration timeout) {
        PartitionCounts counts = new FleetTopics(config.topics(), config.kafka().clientProperties(), TOPICS)
                .check(TopicRole.WORKER);
        try (Admin admin = config.clients().admin()) {
            BrokerFeatures.check(admin, timeout);
            CompletionService.check(admin, config.completions(), counts, timeout);
        }
        return counts;
    }
}
