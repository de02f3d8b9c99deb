package dev.toolfleet.worker.catalog;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.common.TopicPartition;

/// Lets calls wait until a worker has read what is published.
record FollowedTopics(Topics topics, StateFollower follower) implements CatalogGate.CatchUp {
    /// Follows what every worker follows; done when what is there now was read.
    List<CompletableFuture<Void>> follow(ToolRegistry registry, TopicView contentsView) {
        return List.of(follower.follow(single(Topic.RESOURCE), new ResourceView(registry)),
                follower.follow(single(Topic.CATALOG_CONTENT), contentsView));
    }

    @Override
    public CompletableFuture<Void> steps(int partition) {
        return follower.catchUp(new TopicPartition(topics.name(Topic.CATALOG_STEP), partition));
    }

    @Override
    public CompletableFuture<Void> contents() {
        return catchUp(Topic.CATALOG_CONTENT);
    }

    @Override
    public CompletableFuture<Void> resources() {
        return catchUp(Topic.RESOURCE);
    }

    private CompletableFuture<Void> catchUp(Topic topic) {
        return follower.catchUp(single(topic));
    }

    private TopicPartition single(Topic topic) {
        return new TopicPartition(topics.name(topic), 0);
    }
}
