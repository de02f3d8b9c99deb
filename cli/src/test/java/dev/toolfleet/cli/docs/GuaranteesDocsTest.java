package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The types that keep a promise and the tests that prove it exist under the names that the documents give them.
class GuaranteesDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/guarantees.md", "docs/architecture.md", "CONTRIBUTING.md",
            "docs/decisions/0003-topic-administration-in-the-client.md",
            "docs/decisions/0004-revisions-in-one-transaction.md",
            "docs/decisions/0005-two-packages-beside-the-planned-rows.md",
            "docs/decisions/0016-registrations-are-small-revisions-with-a-lease.md",
            "docs/decisions/0017-the-owner-of-partition-0-writes-registrations.md",
            "docs/decisions/0014-a-failing-step-middleware.md",
            "docs/decisions/0018-an-agent-belongs-to-one-bundle.md",
            "docs/decisions/0019-an-apply-reads-what-lies-behind-open-transactions.md"})
    void everyTypeAndTestThatIsNamedExists(String document) throws IOException {
        int named = 0;
        for (Matcher name = NAME.matcher(Files.readString(ROOT.resolve(document))); name.find(); named++) {
            Optional<Path> source = source(name.group(1));
            assertThat(source).as(name.group()).isPresent();
            if (name.group(2) != null)
                assertThat(Files.readString(source.orElseThrow())).as(name.group()).contains(" " + name.group(2) + "(");
        }
        assertThat(named).isPositive();
    }

    private static Optional<Path> source(String type) throws IOException {
        Path file = Path.of(type + ".java");
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    Optional<Path> found = files.filter(path -> path.endsWith(file)).findFirst();
                    if (found.isPresent())
                        return found;
                }
            }
        }
        return Optional.empty();
    }
}
