package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.state.AdminAnswer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Requests from the broker the ids of the logs of the call topics. Thread-safe.
final class Incarnations {
    private final Admin admin;
    private final String calls;
    private final String resumed;
    private final Duration timeout;
    /// Never changes while the worker runs.
    private volatile @Nullable String cluster;

    /// @param calls the topic of calls
    /// @param resumed the topic of resumed calls
    /// @param timeout of one request
    public Incarnations(Admin admin, String calls, String resumed, Duration timeout) {
        this.admin = admin;
        this.calls = calls;
        this.resumed = resumed;
        this.timeout = timeout;
    }

    /// Returns the present ids.
    ///
    /// @throws org.apache.kafka.common.KafkaException if the broker does not answer, or a topic does not exist
    public Incarnation now() {
        Map<String, TopicDescription> topics = AdminAnswer
                .of(admin.describeTopics(List.of(calls, resumed)).allTopicNames(), timeout);
        String known = cluster;
        if (known == null) {
            known = AdminAnswer.of(admin.describeCluster().clusterId(), timeout);
            cluster = known;
        }
        return new Incarnation(requireNonNull(topics.get(calls)).topicId().toString(),
                requireNonNull(topics.get(resumed)).topicId().toString(), known);
    }
}
