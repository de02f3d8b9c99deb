package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Each attempt on the scorecard of `docs/security.md` names the tests that hold it, or the page that says it is a limit.
class ScorecardDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|IT))`");
    private static final Pattern TESTS = Pattern.compile(TEST + "(, " + TEST + ")*");
    private static final Pattern LIMIT = Pattern.compile("Limit: .*\\[.+]\\(\\S+\\).*");

    private static List<String[]> rows() throws IOException {
        List<String[]> rows = new ArrayList<>();
        boolean table = false;
        for (String line : Files.readAllLines(ROOT.resolve("docs/security.md"))) {
            if (line.startsWith("| area | attempt |"))
                table = true;
            else if (!line.startsWith("|"))
                table = false;
            else if (table && !line.startsWith("|---"))
                rows.add(line.split("\\|", -1));
        }
        return rows;
    }

    @Test
    void everyAttemptIsHeldByTestsOrIsADocumentedLimit() throws IOException {
        List<String[]> rows = rows();

        assertThat(rows).hasSizeGreaterThan(40).allSatisfy(cells -> {
            assertThat(cells).as(String.join("|", cells)).hasSize(5);
            assertThat(cells[2]).isNotBlank();
            String held = cells[3].strip();
            assertThat(TESTS.matcher(held).matches() || LIMIT.matcher(held).matches()).as(held).isTrue();
        });
        assertThat(rows.getFirst()[1]).isNotBlank();
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String[] cells : rows()) {
            for (Matcher test = TEST.matcher(cells[3]); test.find();)
                named.add(test.group(1));
        }

        assertThat(named).isNotEmpty();
        assertThat(tests()).containsAll(named);
    }

    private static Set<String> tests() throws IOException {
        Set<String> tests = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src/test/java")).filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.map(path -> String.valueOf(path.getFileName())).filter(name -> name.endsWith(".java"))
                            .forEach(name -> tests.add(name.substring(0, name.length() - ".java".length())));
                }
            }
        }
        return tests;
    }
}
