package dev.toolfleet.worker.mutations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNullElse;

/// Reads `mutations.txt`: blocks of lines `mutation NAME`, `file PATH`, `from TEXT`, `to TEXT`, `tests NAMES`. An
/// indented line continues the one before, `#` begins a comment.
final class MutationTable {
    /// Modules whose classes and tests the rows name.
    static final List<Path> MODULES = List.of(Path.of(""), Path.of("../fleet-state"));
    private static final String SOURCES = "src/main/java/dev/toolfleet/worker";
    private static final Path TABLE = Path.of("src/test/resources/mutations.txt");

    private MutationTable() {}

    static List<Mutation> read() {
        return parse(lines(TABLE));
    }

    static String source(Mutation mutation) {
        Path file = MODULES.stream().map(module -> module.resolve(SOURCES).resolve(mutation.file()))
                .filter(Files::exists).findFirst().orElseThrow(() -> new IllegalArgumentException(
                        "mutation '" + mutation.name() + "': no module has " + mutation.file()));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("mutation '" + mutation.name() + "'", e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Mutation> parse(List<String> lines) {
        List<Mutation> all = new ArrayList<>();
        Map<String, String> block = new HashMap<>();
        String key = "";
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#"))
                continue;
            if (line.startsWith(" ")) {
                block.merge(key, line.trim(), (before, more) -> before + " " + more);
                continue;
            }
            int space = line.indexOf(' ');
            key = space < 0 ? line : line.substring(0, space);
            if (key.equals("mutation") && !block.isEmpty()) {
                all.add(mutation(block));
                block.clear();
            }
            block.put(key, space < 0 ? "" : line.substring(space + 1).trim());
        }
        if (!block.isEmpty())
            all.add(mutation(block));
        return all;
    }

    private static Mutation mutation(Map<String, String> block) {
        String tests = value(block, "tests");
        return new Mutation(value(block, "mutation"), value(block, "file"), value(block, "from"), value(block, "to"),
                tests.isBlank() ? List.of() : List.of(tests.split("\\s+")));
    }

    private static String value(Map<String, String> block, String key) {
        return requireNonNullElse(block.get(key), "");
    }
}
