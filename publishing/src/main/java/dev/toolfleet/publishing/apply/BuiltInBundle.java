package dev.toolfleet.publishing.apply;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;

/// The bundle `@toolfleet/base`, which every fleet has, ready to be applied.
public final class BuiltInBundle {
    private BuiltInBundle() {}

    /// Reads it.
    public static LocalBundle read() {
        return new LocalBundle(FleetResources.BUILT_IN, BuiltinBundle.load().bundle());
    }
}
