package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The topics that a worker has read to their present ends before it takes partitions.
///
/// @param topics their names
/// @param read counts the records that were read
/// @param patience how long nothing may come
record SharedTopics(Topics topics, LongSupplier read, Duration patience) {
    private static final Logger LOG = LoggerFactory.getLogger(SharedTopics.class);

    SharedTopics(Topics topics, LongSupplier read) {
        this(topics, read, Duration.ofSeconds(10));
    }

    /// Waits as long as there is progress: how much there is to read depends on the fleet, a broker that does not answer
    /// should be told soon. Instances, their labels and what was spent of budgets keep no worker from its calls if they do not
    /// come: whatever needs them waits for them itself, and fails while they cannot be read.
    ///
    /// @param needed the topics without which no call is judged right
    /// @param instances the partitions of `agent.instance`, `agent.label` and `tool.budget`
    void await(List<CompletableFuture<Void>> needed, List<CompletableFuture<Void>> instances) {
        CompletableFuture<Void> all = allOf(Stream.concat(needed.stream(), instances.stream()));
        long seen;
        do {
            seen = read.getAsLong();
            if (isDone(all))
                return;
        } while (read.getAsLong() > seen);
        if (!isDone(allOf(needed.stream()))) {
            throw new IllegalStateException("the fleet's resources could not be read: nothing came for "
                    + patience.toSeconds() + " s; check that this process may read "
                    + topics.name(Topic.CONTROL) + ", " + topics.name(Topic.OPERATOR) + ", "
                    + topics.name(Topic.RESOURCE) + ", " + topics.name(Topic.CATALOG_CONTENT) + ", "
                    + topics.name(Topic.AGENT_INSTANCE) + ", " + topics.name(Topic.AGENT_LABEL) + " and "
                    + topics.name(Topic.BUDGET));
        }
        LOG.atWarn().addKeyValue(LogKeys.TARGETS,
                topics.name(Topic.AGENT_INSTANCE) + "," + topics.name(Topic.AGENT_LABEL) + ","
                        + topics.name(Topic.BUDGET))
                .addKeyValue(LogKeys.REASON,
                        instances.stream().filter(each -> !each.isDone()).count()
                                + " of their partitions do not answer")
                .log("worker starts without all agent instances, labels and budgets; calls that need them fail meanwhile");
    }

    private boolean isDone(CompletableFuture<Void> all) {
        try {
            all.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the fleet's resources could not be read: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the fleet's resources were read", e);
        }
    }

    private static CompletableFuture<Void> allOf(Stream<CompletableFuture<Void>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }

    /// A call would be told that its tool is not there while it is being loaded. Ends with the limit of a load at the
    /// latest: a module that hangs does not keep the worker from its other tools.
    static void awaitModules(ToolRegistry registry) {
        try {
            registry.awaitLoaded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the bundles' modules were loaded", e);
        }
    }
}
