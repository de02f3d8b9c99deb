package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.state.AdminAnswer;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// All of `tool.control`, or of `tool.operator`, from as far back as cancellations and orders hold. Its partitions are no group's: every worker hears of
/// every cancellation and order, and each finds out for itself whether it is concerned.
///
/// @param name of the topic
/// @param patience of one question
record ControlTopic(String name, Admin admin, StateFollower follower, InstantSource clock, Duration patience) {

    /// Begins to follow it.
    ///
    /// @return done when what is there now was read
    List<CompletableFuture<Void>> follow(TopicView view) {
        long since = clock.instant().minus(Cancellations.KEPT).toEpochMilli();
        return requireNonNull(AdminAnswer.of(admin.describeTopics(List.of(name)).allTopicNames(), patience).get(name))
                .partitions().stream()
                .map(found -> follower.followSince(new TopicPartition(name, found.partition()), view, since)).toList();
    }
}
