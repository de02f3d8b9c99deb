package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.StateFollower;

/// The catalogs that a process has read, and the gate that judges calls by them.
public final class Catalogs {
    private final ChangeSignal news = new ChangeSignal();
    private final StepCatalogs steps = new StepCatalogs(news);
    private final CatalogContentView contents = new CatalogContentView(news);

    /// None is known yet.
    public Catalogs() {}

    /// Returns the catalogs of steps.
    public StepCatalogs steps() {
        return steps;
    }

    /// Wakes calls that wait for a change of the registry.
    public void changed() {
        news.signal();
    }

    /// Makes the gate.
    ///
    /// @param wait longest wait of a call for its catalog
    /// @param catchUp lets calls wait until present ends were read
    public CatalogGate gate(CatalogMode mode, Duration wait, ToolRegistry registry, CatalogGate.CatchUp catchUp) {
        return new CatalogGate(mode, wait, steps, contents, news, registry, catchUp);
    }

    /// Makes the part that reads topics to their present ends.
    public static CatalogGate.CatchUp catchUp(Topics topics, StateFollower follower) {
        return new FollowedTopics(topics, follower);
    }

    /// Follows resources and contents; done when their present ends were read.
    public List<CompletableFuture<Void>> follow(Topics topics, StateFollower follower, ToolRegistry registry) {
        return new FollowedTopics(topics, follower).follow(registry, contents);
    }
}
