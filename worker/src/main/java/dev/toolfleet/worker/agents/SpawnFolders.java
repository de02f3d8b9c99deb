package dev.toolfleet.worker.agents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import dev.toolfleet.worker.tools.args.WorkPaths;

/// Folders of spawned instances: inside that of their owner, and so inside the workspace root.
///
/// @param root of the workspace
record SpawnFolders(Path root) {
    /// Returns the folder as `agent.instance` records it.
    ///
    /// @param workdir of the owner
    /// @param cwd as the owner gave it
    /// @throws dev.toolfleet.tool.ToolException `E_PATH_OUTSIDE_WORKDIR`
    String recorded(Path workdir, String cwd) {
        try {
            Path below = root.toRealPath().relativize(WorkPaths.of(workdir, root, false).resolve(cwd));
            return StreamSupport.stream(below.spliterator(), false).map(Path::toString)
                    .collect(Collectors.joining("/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
