package dev.toolfleet.worker.catalog;

import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// Lets a registry follow the one partition of `tool.resource`.
record ResourceView(ToolRegistry registry) implements TopicView {
    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        registry.apply(key, value);
    }

    @Override
    public void forget(int partition) {
        // It is followed as long as the worker lives.
    }
}
