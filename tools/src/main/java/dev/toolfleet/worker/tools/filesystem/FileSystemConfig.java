package dev.toolfleet.worker.tools.filesystem;

import java.util.Set;

import dev.toolfleet.worker.tools.args.ToolConfig;
import tools.jackson.databind.node.ObjectNode;

/// Settings of the tool, from its `spec.config`.
///
/// @param maxReadBytes the most that one `read` returns, as JSON, whatever the model requests
/// @param maxEntries the most that one `list` returns
/// @param allowOutsideWorkdir whether paths may lie outside the workdir
record FileSystemConfig(int maxReadBytes, int maxEntries, boolean allowOutsideWorkdir) {
    static final FileSystemConfig DEFAULT = new FileSystemConfig(1_000_000, 10_000, false);

    static FileSystemConfig of(ObjectNode json) {
        ToolConfig config = new ToolConfig("file-system", json,
                Set.of("maxReadBytes", "maxEntries", "allowOutsideWorkdir"));
        return new FileSystemConfig(config.positive("maxReadBytes", DEFAULT.maxReadBytes),
                config.positive("maxEntries", DEFAULT.maxEntries), config.flag("allowOutsideWorkdir"));
    }
}
