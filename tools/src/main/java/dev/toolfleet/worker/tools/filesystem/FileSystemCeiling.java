package dev.toolfleet.worker.tools.filesystem;

import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.tools.args.Ceiling;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule.FileSystemConfig;

/// The most that a bundle may open of `file-system`.
public final class FileSystemCeiling {
    private FileSystemCeiling() {}

    /// Reads `worker.tools.file-system.ceiling`.
    public static Ceiling of(Settings ceiling) {
        return new Ceiling.Reader(ceiling).most("maxReadBytes", FileSystemConfig.DEFAULT.maxReadBytes())
                .most("maxEntries", FileSystemConfig.DEFAULT.maxEntries()).may("allowOutsideWorkdir", false).read();
    }
}
