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

/// Each acceptance case of the specification of skills, and each one that several systems must keep, has a test that names
/// it. (Those of sessions are in the tests of the module `session`.)
class AcceptanceCasesTest {
    private static final int SKILLS = 16;
    private static final List<String> ACROSS = List.of("X-01", "X-02", "X-03", "X-04", "X-05", "X-06", "X-07", "X-08",
            "X-09", "X-10", "X-14");
    private static final Pattern NAMED = Pattern.compile("@(?:DisplayName|Label)\\(\"([^\"]*)\"");
    private static final Pattern CASE = Pattern.compile("\\b(SKL|X)-(\\d\\d)\\b");

    @Test
    void everyCaseIsNamedByATest() throws IOException {
        Set<String> expected = new TreeSet<>(ACROSS);
        for (int number = 1; number <= SKILLS; number++)
            expected.add(String.format("SKL-%02d", number));

        assertThat(named()).isEqualTo(expected);
    }

    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        for (Path file : tests()) {
            for (Matcher name = NAMED.matcher(Files.readString(file)); name.find();)
                for (Matcher found = CASE.matcher(name.group(1)); found.find();)
                    named.add(found.group());
        }
        return named;
    }

    private static List<Path> tests() throws IOException {
        List<Path> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path folder : modules.map(module -> module.resolve("src/test/java")).filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(tests::add);
                }
            }
        }
        return tests;
    }
}
