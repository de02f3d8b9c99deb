package dev.toolfleet.cli.grant;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.oauth.seal.KeyRing;

/// File with a fleet's OAuth keys.
public final class OAuthKeyFile {
    private OAuthKeyFile() {}

    /// Puts a new key in front of those of a file, which is made when it is absent. The old keys still open what they
    /// sealed.
    ///
    /// @return the ids of the file's keys now
    /// @throws Failure when the file cannot be used
    public static Set<String> init(Path file, String id) {
        try {
            String before = Files.exists(file) ? Files.readString(file) : "";
            if (!before.isBlank() && KeyRing.parse(before, "'" + file + "'").ids().contains(id))
                throw Failure.invalid(file + " has the key '" + id + "' already; name another with --id");
            String after = KeyRing.newEntry(id) + "\n" + before;
            write(file.toAbsolutePath(), after);
            return KeyRing.parse(after, "'" + file + "'").ids();
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.failed("the key cannot be written: " + e, e);
        }
    }

    /// Readers see the old file or the new one, and only its owner may read it.
    private static void write(Path file, String text) throws IOException {
        if (file.getParent() != null)
            Files.createDirectories(file.getParent());
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix"))
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(draft, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
