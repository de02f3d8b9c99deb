package dev.toolfleet.worker.runtime.builtin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;

/// The bundle `@toolfleet/base`, which declares the modules of [BuiltinModules]: those of this module, and those of each
/// optional module that is on the class path.
public final class BuiltinBundle {
    private static final String FILE = "toolfleet.yaml";

    private BuiltinBundle() {}

    /// Reads it. Nothing in it names a file, so its folder does not exist.
    public static LoadResult load() {
        SequencedMap<String, String> texts = new LinkedHashMap<>();
        texts.put(FILE, text(BuiltinBundle.class, "/dev/toolfleet/worker/bundle/base/" + FILE));
        BuiltinModules.optional().forEach(tool -> texts.put(tool.name() + ".yaml", tool.declarations()));
        return BundleLoader.parse(Path.of("@toolfleet", "base"), texts);
    }

    /// Returns a resource of the jar of a class.
    ///
    /// @param name relative to the class, or from the root when it begins with a slash
    /// @throws IllegalStateException if the jar lacks it
    static String text(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null)
                throw new IllegalStateException(
                        "The jar of " + owner.getName() + " lacks the resource " + name + "; build it anew.");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The resource " + name + " of " + owner.getName() + " cannot be read", e);
        }
    }
}
