package dev.toolfleet.worker.tools.messaging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.FileErrors;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.WorkPaths;

/// Destination of a file inside the workdir. The worker holds its folder while it opens the file and follows no link,
/// so a link that appears after the check does no harm.
///
/// @param path resolved: no link in it
/// @param given as the model wrote it
public record SavedFile(WorkPaths paths, Path path, String given) {

    /// @throws ToolException `E_PATH_OUTSIDE_WORKDIR` if it lies outside, `EISDIR` if it is a folder
    static SavedFile at(WorkPaths paths, String given) {
        Path path = paths.resolve(given);
        if (Files.isDirectory(path))
            throw FileErrors.of("EISDIR", given);
        return new SavedFile(paths, path, given);
    }

    /// Writes it. Creates missing folders and replaces an existing file.
    void write(byte[] bytes) {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null)
            throw FileErrors.of("EISDIR", given);
        try {
            Files.createDirectories(parent);
            try (HeldFolder folder = paths.hold(parent);
                    SeekableByteChannel channel = folder.openOrCreate(name, this::requireRegular)) {
                channel.truncate(0);
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining())
                    channel.write(rest);
            }
        } catch (IOException e) {
            throw FileErrors.of(e, given);
        }
    }

    /// Opening a pipe or a device could wait for ever.
    private void requireRegular(BasicFileAttributes attributes) {
        if (!attributes.isRegularFile())
            throw FileErrors.of("EINVAL", given);
    }
}
