package dev.toolfleet.cli.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.worker.app.Worker;

/// The bundle `@toolfleet/base`, which every fleet has. It ships as a resource
/// beside the tools that it declares.
public final class BuiltInBundle {
    private static final String RESOURCE = "/dev/toolfleet/worker/bundle/base/toolfleet.yaml";

    private BuiltInBundle() {}

    /// Reads it.
    public static LocalBundle read() {
        return new LocalBundle(FleetResources.BUILT_IN, bundle());
    }

    private static Bundle bundle() {
        // The loader reads folders, and the resource is in a jar.
        try (InputStream in = Worker.class.getResourceAsStream(RESOURCE)) {
            if (in == null)
                throw new IllegalStateException("the jar has no " + RESOURCE);
            Path folder = Files.createTempDirectory("toolfleet-base-");
            Path file = folder.resolve("toolfleet.yaml");
            Files.copy(in, file);
            Bundle bundle = BundleLoader.load(folder).bundle();
            Files.delete(file);
            Files.delete(folder);
            return bundle;
        } catch (IOException e) {
            throw new UncheckedIOException("the built-in bundle cannot be read", e);
        }
    }
}
