package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.state.StateFollower;

/// The topics that a worker has read to their present ends before it takes partitions.
///
/// @param topics their names
/// @param follower reads them
record SharedTopics(Topics topics, StateFollower follower) {
    private static final Duration STATE_WAIT = Duration.ofSeconds(10);

    /// Waits as long as there is progress: how much there is to read depends on the fleet, a broker that does not answer
    /// should be told soon.
    void await(List<CompletableFuture<Void>> read) {
        CompletableFuture<Void> all = CompletableFuture.allOf(read.toArray(CompletableFuture[]::new));
        long seen;
        do {
            seen = follower.read();
            try {
                all.get(STATE_WAIT.toSeconds(), TimeUnit.SECONDS);
                return;
            } catch (ExecutionException e) {
                throw new IllegalStateException("the fleet's resources could not be read: " + e.getCause(), e);
            } catch (TimeoutException e) {
                // Asked again while records come in.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the fleet's resources were read", e);
            }
        } while (follower.read() > seen);
        throw new IllegalStateException("the fleet's resources could not be read: nothing came for "
                + STATE_WAIT.toSeconds() + " s; check that this process may read "
                + topics.name(Topic.CONTROL) + ", " + topics.name(Topic.RESOURCE) + ", "
                + topics.name(Topic.CATALOG_CONTENT) + " and "
                + topics.name(Topic.AGENT_INSTANCE));
    }
}
