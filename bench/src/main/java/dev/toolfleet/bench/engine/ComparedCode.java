package dev.toolfleet.bench.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.bundle.BundleFiles;

import static java.util.Objects.requireNonNull;

/// Language of the tool of a comparison, which does the same in each.
public enum ComparedCode {
    /// Java, in the worker.
    JAVA("java:" + ComparedTool.class.getName()),
    /// JavaScript, in a Node host.
    NODE("compared.mjs"),
    /// Python, in a Python host.
    PYTHON("compared.py");

    private final String entry;

    ComparedCode(String entry) {
        this.entry = entry;
    }

    String entry() {
        return entry;
    }

    /// Writes the tool's files into the bundle's folder, and returns their digests by path.
    public Map<String, String> files(Path folder) throws IOException {
        if (this == JAVA)
            return Map.of();
        Path file = Files.createDirectories(folder).resolve(entry);
        try (InputStream in = requireNonNull(ComparedCode.class.getResourceAsStream(entry), entry)) {
            Files.write(file, in.readAllBytes());
        }
        return Map.of(entry, BundleFiles.digest(file));
    }
}
