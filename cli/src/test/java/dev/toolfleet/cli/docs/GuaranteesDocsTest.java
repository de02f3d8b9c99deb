package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The types that keep a promise and the tests that prove it exist under the names that the documents give them.
class GuaranteesDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");

    /// Types of Java and Kafka, and kinds of resources.
    private static final Set<String> OTHERS = Set.of("BigInteger", "CommitFailedException", "EffectBudget", "ToolGroup",
            "ToolPolicy");

    /// Source files by name. The folders are read once, because some thousand names are looked up.
    private static final Map<String, Path> SOURCES = new HashMap<>();

    static Stream<String> documents() throws IOException {
        try (Stream<Path> decisions = Files.list(ROOT.resolve("docs/decisions"))) {
            return Stream.concat(
                    Stream.of("docs/guarantees.md", "docs/architecture.md", "docs/glossary.md", "CONTRIBUTING.md"),
                    decisions.map(file -> ROOT.relativize(file).toString()).sorted()).toList().stream();
        }
    }

    @BeforeAll
    static void readFolders() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> SOURCES.putIfAbsent(file.getFileName().toString(), file));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyTypeAndTestThatIsNamedExists(String document) throws IOException {
        for (Matcher name = NAME.matcher(Files.readString(ROOT.resolve(document))); name.find();) {
            if (OTHERS.contains(name.group(1)))
                continue;
            Path source = SOURCES.get(name.group(1) + ".java");
            assertThat(source).as(name.group()).isNotNull();
            if (name.group(2) != null)
                assertThat(Files.readString(source)).as(name.group()).containsPattern(
                        "\\b" + name.group(2) + "\\b");
        }
    }
}
