package dev.toolfleet.bench.effect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/// Language of a run's tools.
public enum EffectHandlers {
    /// Java, in the worker.
    JAVA("java:" + EffectTools.class.getName()),
    /// JavaScript, in a process of the worker's.
    NODE("./effects.mjs");

    private static final String SCRIPT = "effects.mjs";

    private final String entry;

    EffectHandlers(String entry) {
        this.entry = entry;
    }

    /// The entry of the Tool.
    public String entry() {
        return entry;
    }

    /// Writes the code into the bundle's folder, if it is a file.
    public void write(Path folder) throws IOException {
        if (this == JAVA)
            return;
        try (InputStream in = requireNonNull(EffectHandlers.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            Files.write(folder.resolve(SCRIPT), in.readAllBytes());
        }
    }

    /// The one of this name.
    ///
    /// @throws IllegalArgumentException naming those that there are
    public static EffectHandlers of(String text) {
        return Arrays.stream(values()).filter(each -> each.name().equalsIgnoreCase(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("handlers is '" + text + "'; it must be one of "
                        + Arrays.stream(values()).map(each -> each.name().toLowerCase(java.util.Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }
}
