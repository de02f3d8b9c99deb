package dev.toolfleet.worker.runtime.builtin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;

/// The bundle `@toolfleet/base`, which ships inside this module and declares the modules of [BuiltinModules].
public final class BuiltinBundle {
    private static final String FILE = "toolfleet.yaml";
    private static final String RESOURCE = "/dev/toolfleet/worker/bundle/base/" + FILE;

    private BuiltinBundle() {}

    /// Reads it. The folder of the bundle is gone afterwards: nothing in it names a file.
    ///
    /// @throws UncheckedIOException if the temporary copy cannot be written
    public static LoadResult load() {
        try (InputStream yaml = BuiltinBundle.class.getResourceAsStream(RESOURCE)) {
            if (yaml == null)
                throw new IllegalStateException("The worker's jar lacks " + RESOURCE + "; build it anew.");
            return load(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException("The built-in bundle cannot be read through a temporary file", e);
        }
    }

    /// Loads through a file, because the loader reads folders and the bundle may lie in a jar.
    private static LoadResult load(InputStream yaml) throws IOException {
        Path folder = Files.createTempDirectory("toolfleet-base-");
        Path file = folder.resolve(FILE);
        try {
            Files.copy(yaml, file);
            return BundleLoader.load(folder);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}
