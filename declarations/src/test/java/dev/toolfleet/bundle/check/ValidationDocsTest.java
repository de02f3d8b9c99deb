package dev.toolfleet.bundle.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.docs.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/validation.md` has every tested rule, and no other; it has every code.
class ValidationDocsTest {
    private static final String PAGE = "validation.md";
    private static final Pattern PROOF = Pattern.compile("`(\\w+)` (.+)");
    private static final Pattern CODE = Pattern.compile("(error|warning|hint|notice) `(E_CONFIG_\\w+)`");
    private static final Pattern CASE = Pattern
            .compile("Case\\.(\\w+)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\".*?ProblemCode\\.(\\w+)", Pattern.DOTALL);

    /// @param test the class
    /// @param behaviour a row of one of its tables, or a method
    private record Proof(String test, String behaviour) {}

    static List<Docs.Row> rules() {
        return Docs.table(PAGE, "rule");
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyRuleHasTestsThatFindWhatItSays(Docs.Row rule) {
        Set<String> found = new TreeSet<>();
        for (Proof proof : proofs(rule)) {
            String source = source(proof.test());
            List<String> cases = CASE.matcher(source).results().filter(row -> row.group(2).equals(proof.behaviour()))
                    .map(ValidationDocsTest::levelAndCode).toList();
            found.addAll(cases);
            if (cases.isEmpty())
                assertThat(source).as("%s", proof).contains("void " + proof.behaviour() + "(");
        }
        Set<String> promised = CODE.matcher(rule.cell("otherwise")).results()
                .map(code -> code.group(1) + " " + code.group(2)).collect(Collectors.toCollection(TreeSet::new));

        assertThat(promised).as(rule.cell("rule")).containsAll(found);
        assertThat(rule.cell("what must hold")).isNotBlank();
        assertThat(rule.cell("source")).isNotBlank();
    }

    @Test
    void everyCodeIsOnThePage() {
        Set<String> codes = rules().stream().flatMap(rule -> CODE.matcher(rule.cell("otherwise")).results())
                .map(code -> code.group(2)).collect(Collectors.toCollection(TreeSet::new));

        assertThat(codes).containsExactlyInAnyOrderElementsOf(
                Arrays.stream(ProblemCode.values()).map(Enum::name).toList());
    }

    @Test
    void everyRowOfTheRulesTestsIsOnThePage() {
        Set<Proof> told = rules().stream().flatMap(rule -> proofs(rule).stream()).collect(Collectors.toSet());

        Stream.of("ToolRulesTest", "V08RulesTest", "OAuthAppRulesTest", "EnvelopeRulesTest", "ReferenceRulesTest",
                "SecretRulesTest", "ToolGroupRulesTest", "ResultGuardRulesTest", "ContextPolicyRulesTest",
                "PromptSectionRulesTest")
                .forEach(test -> assertThat(CASE.matcher(source(test)).results())
                        .isNotEmpty().allSatisfy(row -> assertThat(told).contains(new Proof(test, row.group(2)))));
    }

    @Test
    void rulesHaveNumbersOfTheirOwn() {
        assertThat(rules()).extracting(rule -> rule.cell("rule")).doesNotHaveDuplicates()
                .allMatch(number -> number.matches("[A-Z]\\d+"));
    }

    private static List<Proof> proofs(Docs.Row rule) {
        return Arrays.stream(rule.cell("proven by").split("; ")).map(text -> {
            Matcher proof = PROOF.matcher(text);
            assertThat(proof.matches()).as(text).isTrue();
            return new Proof(proof.group(1), proof.group(2));
        }).toList();
    }

    private static String levelAndCode(MatchResult row) {
        return row.group(1) + " " + row.group(3);
    }

    private static String source(String test) {
        Path name = Path.of(test + ".java");
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java")).filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    List<Path> found = files.filter(file -> file.endsWith(name)).toList();
                    if (!found.isEmpty())
                        return Files.readString(found.getFirst());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("no test is called " + test);
    }
}
