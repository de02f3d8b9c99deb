package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.List;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.resources.FleetResources;

/// The bundle `@toolfleet/base`, which every fleet has.
public final class BuiltInBundle {
    private BuiltInBundle() {}

    /// Reads it.
    public static LocalBundle read() {
        return new LocalBundle(FleetResources.BUILT_IN, new Bundle(Path.of("."), List.of()));
    }
}
