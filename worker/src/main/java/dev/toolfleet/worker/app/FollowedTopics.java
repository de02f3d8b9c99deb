package dev.toolfleet.worker.app;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.state.StateFollower;
import org.apache.kafka.common.TopicPartition;

/// Lets calls wait until a worker has read what is published.
record FollowedTopics(Topics topics, StateFollower follower) implements CatalogGate.CatchUp {
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

    private CompletableFuture<Void> catchUp(Topic single) {
        return follower.catchUp(new TopicPartition(topics.name(single), 0));
    }
}
