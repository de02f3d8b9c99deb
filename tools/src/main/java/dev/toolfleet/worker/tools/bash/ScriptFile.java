package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.FileErrors;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.WorkPaths;

/// The file of a call of `bash.script`.
final class ScriptFile {
    /// The largest script that a person can be asked about.
    static final int MAX_BYTES = 1 << 20;

    private ScriptFile() {}

    /// The regular file that a path means.
    static Path resolve(WorkPaths paths, String given) {
        Path path = paths.resolve(given);
        if (!Files.isRegularFile(path))
            throw FileErrors.of(Files.isDirectory(path) ? "EISDIR" : Files.exists(path) ? "EINVAL" : "ENOENT", given);
        return path;
    }

    /// Its content. The folder is held, and no link is followed.
    static byte[] read(WorkPaths paths, String given) throws IOException {
        Path path = resolve(paths, given);
        Path parent = path.getParent();
        if (parent == null)
            throw FileErrors.of("EISDIR", given);
        try (HeldFolder folder = paths.hold(parent);
                SeekableByteChannel channel = folder.open(path.getFileName(), StandardOpenOption.READ, found -> {
                    if (!found.isRegularFile())
                        throw FileErrors.of("EINVAL", given);
                });
                InputStream in = Channels.newInputStream(channel)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES)
                throw new ToolException("EFBIG", "The script '" + given + "' is larger than " + MAX_BYTES
                        + " bytes, so no person can be asked to approve it; it was not started.")
                        .suggestion("Split the script.");
            return content;
        }
    }
}
