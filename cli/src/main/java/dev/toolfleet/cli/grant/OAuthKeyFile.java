package dev.toolfleet.cli.grant;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.oauth.seal.KeyRing;
import org.jspecify.annotations.Nullable;

/// File with a fleet's OAuth keys.
public final class OAuthKeyFile {
    private OAuthKeyFile() {}

    /// Adds a new key behind those of a file, which is made when it is absent. It opens, and does not seal yet. Otherwise:
    /// a process that has the new file seals what others cannot open.
    ///
    /// @return the ids of the file's keys now, the current one first
    /// @throws Failure when the file cannot be used
    public static Set<String> init(Path file, String id) {
        return changed(file, before -> {
            if (!before.isBlank() && keys(before, file).ids().contains(id))
                throw Failure.invalid(file + " has the key '" + id + "' already; name another with --id");
            return (before.isBlank() ? "" : before.stripTrailing() + "\n") + KeyRing.newEntry(id) + "\n";
        });
    }

    /// Puts a key of a file in front, so that it seals from the next start of its processes on.
    ///
    /// @param id null for the key that was added last
    /// @return the ids of the file's keys now, the current one first
    /// @throws Failure when the file cannot be used, or has no such key
    public static Set<String> promote(Path file, @Nullable String id) {
        return changed(file, before -> {
            Set<String> ids = keys(before, file).ids();
            String wanted = id == null ? List.copyOf(ids).getLast() : id;
            if (!ids.contains(wanted))
                throw Failure.invalid(
                        file + " has no key '" + wanted + "'; there are: " + String.join(", ", ids));
            List<String> entries = Stream.of(before.split("[\\n,]")).map(String::strip)
                    .filter(entry -> !entry.isEmpty()).toList();
            Predicate<String> isWanted = entry -> entry.substring(0, Math.max(0, entry.indexOf(':'))).strip()
                    .equals(wanted);
            return Stream.concat(entries.stream().filter(isWanted), entries.stream().filter(isWanted.negate()))
                    .collect(Collectors.joining("\n", "", "\n"));
        });
    }

    private static KeyRing keys(String text, Path file) {
        return KeyRing.parse(text, "'" + file + "'");
    }

    private static Set<String> changed(Path file, UnaryOperator<String> change) {
        try {
            String after = change.apply(Files.exists(file) ? Files.readString(file) : "");
            write(file.toAbsolutePath(), after);
            return keys(after, file).ids();
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
