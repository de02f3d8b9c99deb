package dev.toolfleet.loading;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;

import dev.toolfleet.json.Digests;

/// File of a bundle whose content must have the digest that was applied.
///
/// @param folder the bundle's folder
/// @param path its path there
/// @param expected its digest, as the bundle's record has it
record BundleFile(Path folder, String path, String expected) {
    /// Copies the file: the one in the bundle may be replaced while the copy is in use. Leaves no copy of a file that
    /// is refused.
    ///
    /// @throws ModuleLoadException naming the file, if it is missing, outside of the folder, or another one
    void copyTo(Path target) {
        Path file = inside();
        try {
            MessageDigest digest = Digests.newSha256();
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
            }
            String actual = Digests.of(digest.digest());
            if (expected.equals(actual))
                return;
            // Loading is tried again and again while the process runs; copies would pile up.
            Files.delete(target);
            throw new ModuleLoadException("the file at " + file + " is another one than was applied: it has " + actual
                    + ", applied was " + expected + "; copy the applied file there, or apply the bundle again");
        } catch (IOException e) {
            throw new ModuleLoadException("the file at " + file + " cannot be read: " + e, e);
        }
    }

    /// Returns the file if no link on the way leads out of the folder.
    private Path inside() {
        Path file = folder.resolve(path);
        if (!Files.isRegularFile(file))
            throw new ModuleLoadException("the file '" + path + "' (" + expected + ") is missing at " + file);
        try {
            Path real = file.toRealPath();
            if (!real.startsWith(folder.toRealPath()))
                throw new ModuleLoadException("the file at " + file + " lies outside of its bundle's folder, at " + real
                        + "; put the file itself there");
            return real;
        } catch (IOException e) {
            throw new ModuleLoadException("the file at " + file + " cannot be read: " + e, e);
        }
    }
}
