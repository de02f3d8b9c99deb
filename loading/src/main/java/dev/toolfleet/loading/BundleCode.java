package dev.toolfleet.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.bundle.BundleName;

/// Files of a bundle that a Tool's code consists of, each with the digest that was applied.
///
/// @param bundle its name
/// @param folder the bundle's folder
/// @param files digests by path
public record BundleCode(String bundle, Path folder, Map<String, String> files) {
    /// Copies the map.
    ///
    /// @throws ModuleLoadException if the bundle's name could lead out of the folder of all bundles
    public BundleCode {
        if (!BundleName.isValid(bundle))
            throw new ModuleLoadException("no files are loaded for '" + bundle + "', which is no name of a bundle");
        files = Map.copyOf(files);
    }

    /// Returns the digest of one of the files.
    ///
    /// @throws ModuleLoadException if the record has none for it
    public String digest(String path) {
        String digest = files.get(path);
        if (digest == null)
            throw new ModuleLoadException("the file '" + path + "' has no digest on its record, so that any file could "
                    + "stand there; apply the bundle again");
        return digest;
    }

    /// Copies one file.
    ///
    /// @throws ModuleLoadException naming the missing or different file
    void copy(String path, Path target) {
        new BundleFile(folder, path, digest(path)).copyTo(target);
    }

    /// Copies all files into a folder, with their paths and their executable bits. Leaves some of them there if one is
    /// refused.
    ///
    /// @throws ModuleLoadException naming the missing or different file
    public void copyAll(Path target) {
        for (String path : files.keySet()) {
            Path copy = target.resolve(path).normalize();
            if (!copy.startsWith(target))
                throw new ModuleLoadException("the file '" + path + "' would leave the bundle's folder");
            try {
                Files.createDirectories(copy.getParent());
                copy(path, copy);
                if (Files.isExecutable(folder.resolve(path)) && !copy.toFile().setExecutable(true))
                    throw new ModuleLoadException("the copy of '" + path + "' cannot be made executable");
            } catch (IOException e) {
                throw new ModuleLoadException("no copy of the file '" + path + "' can be made: " + e, e);
            }
        }
    }
}
