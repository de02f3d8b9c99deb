package dev.toolfleet.worker.tools.filesystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

import dev.toolfleet.worker.tools.args.FileErrors;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.Utf8;
import dev.toolfleet.worker.tools.args.WorkPaths;

/// One file of a call. Its folder is held while it is looked at and opened, and no link is followed, so a link that was
/// put in its way after the check does no harm.
///
/// @param path resolved: no link in it
/// @param given as the model wrote it
record TextFile(WorkPaths paths, Path path, String given) {
    private static final int FIRST_BUFFER = 1 << 16;

    /// The beginning of a file.
    ///
    /// @param size of the whole file, in bytes
    /// @param truncated whether there is more
    record Content(long size, boolean truncated, String text) {}

    /// Reads at most `maxBytes` bytes, fewer if that would split a character.
    Content read(int maxBytes) throws IOException {
        try (HeldFolder folder = folder();
                SeekableByteChannel channel = folder.open(path.getFileName(),
                        StandardOpenOption.READ, this::requireRegular)) {
            // Reads one byte more than requested to learn whether there is more: sizes in /proc are not reliable.
            ByteBuffer bytes = ByteBuffer.allocate(Math.min(maxBytes + 1, FIRST_BUFFER));
            while (channel.read(bytes) >= 0 && bytes.position() <= maxBytes)
                if (!bytes.hasRemaining() && bytes.capacity() <= maxBytes)
                    bytes = grown(bytes, maxBytes + 1);
            boolean truncated = bytes.position() > maxBytes;
            int length = Math.min(bytes.position(), maxBytes);
            String text = truncated
                    ? Utf8.cut(bytes.array(), length)
                    : new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
            return new Content(Math.max(channel.size(), bytes.position()), truncated, text);
        }
    }

    /// Writes a text, making the folders that are missing.
    ///
    /// @return the size of the file afterwards, in bytes
    long write(String content, boolean append) throws IOException {
        Path parent = path.getParent();
        if (parent != null && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            Files.createDirectories(parent);
        // Nothing is cut off on opening: only when the file turned out to be one.
        try (HeldFolder folder = folder();
                SeekableByteChannel channel = folder.openOrCreate(path.getFileName(),
                        this::requireRegular)) {
            if (append)
                channel.position(channel.size());
            else
                channel.truncate(0);
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
            while (bytes.hasRemaining())
                channel.write(bytes);
            return channel.size();
        }
    }

    private HeldFolder folder() throws IOException {
        Path parent = path.getParent();
        if (parent == null || path.equals(paths.root()))
            throw FileErrors.of("EISDIR", given);
        return paths.hold(parent);
    }

    /// Opening a pipe or a device could wait for ever.
    private void requireRegular(BasicFileAttributes attributes) {
        if (attributes.isDirectory())
            throw FileErrors.of("EISDIR", given);
        if (!attributes.isRegularFile())
            throw FileErrors.of("EINVAL", given);
    }

    private static ByteBuffer grown(ByteBuffer full, int limit) {
        ByteBuffer larger = ByteBuffer.allocate((int) Math.min(limit, full.capacity() * 2L));
        return larger.put(full.flip());
    }
}
