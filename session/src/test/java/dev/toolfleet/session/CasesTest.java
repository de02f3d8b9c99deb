package dev.toolfleet.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Each acceptance case of the specification of sessions has a test that names it.
class CasesTest {
    /// Number of cases by subject: lock, transcript, window, compaction, prompt.
    private static final Map<String, Integer> CASES = Map.of("LCK", 26, "TRX", 25, "WIN", 13, "CMP", 26, "PRM", 20);
    private static final Pattern NAMED = Pattern.compile("@(?:DisplayName|Label)\\(\"([^\"]*)\"");
    private static final Pattern CASE = Pattern.compile("\\b([A-Z]{3})-(\\d\\d)\\b");

    @Test
    void everyCaseIsNamedByATest() throws IOException {
        Set<String> expected = new TreeSet<>();
        CASES.forEach((subject, count) -> {
            for (int number = 1; number <= count; number++)
                expected.add(String.format("%s-%02d", subject, number));
        });
        assertThat(named()).isEqualTo(expected);
    }

    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                for (Matcher name = NAMED.matcher(Files.readString(file)); name.find();) {
                    for (Matcher found = CASE.matcher(name.group(1)); found.find();)
                        named.add(found.group());
                }
            }
        }
        return named;
    }
}
