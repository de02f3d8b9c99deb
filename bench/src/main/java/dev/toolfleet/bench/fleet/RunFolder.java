package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Folder of the files of a run's processes.
///
/// @param root a folder of the run's own
public record RunFolder(Path root) {
    /// Makes the folders below the root.
    public static RunFolder create(Path root) throws IOException {
        RunFolder folder = new RunFolder(root);
        Files.createDirectories(folder.effects());
        Files.createDirectories(folder.logs());
        Files.createDirectories(folder.workspace());
        Files.createDirectories(folder.bundle());
        return folder;
    }

    /// Folder of the tools' effects.
    public Path effects() {
        return root.resolve("effects");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path workspace() {
        return root.resolve("workspace");
    }

    Path bundle() {
        return root.resolve("bundles").resolve(BenchBundle.NAME);
    }

    Path broker() {
        return root.resolve("broker");
    }
}
