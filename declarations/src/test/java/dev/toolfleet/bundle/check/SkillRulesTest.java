package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.SkillVersion;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SkillRulesTest {
    private static final String MAIN = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/releases"}
            """;

    @Test
    void aFileWithFieldsAndInstructionsIsASkill() {
        BundleReport report = skill("release", """
                ---
                name: release
                description: Publishes a version.
                version: "1.4.0"
                license: MIT
                metadata: {author: ada}
                tools: [release__tag]
                requires: {env: [RELEASE_TOKEN], groups: [web]}
                minimumTier: medium
                ---

                # How to publish

                --- is no end of the fields here.
                """);

        assertThat(report.problems()).isEmpty();
        SkillSpec skill = spec(report, "release");
        assertThat(skill.version()).isEqualTo(new SkillVersion("1.4.0"));
        assertThat(skill.body()).startsWith("# How to publish").endsWith("--- is no end of the fields here.");
        assertThat(skill.requires().env()).containsExactly("RELEASE_TOKEN");
        assertThat(report.bundle().find(Kinds.SKILL, "release").orElseThrow().metadata().at("/annotations/author")
                .asString()).isEqualTo("ada");
    }

    @Test
    @DisplayName("SKL-03: tools are texts without a tier or objects with one")
    void toolsAreTextsOrObjects() {
        SkillSpec mixed = spec(skill("a", """
                ---
                name: a
                description: A
                tools: [x__one, {name: x__two, minimumTier: large}, {name: x__three}]
                ---
                Do it.
                """), "a");
        assertThat(mixed.tools()).containsExactly(new SkillSpec.Tool("x__one", Optional.empty()),
                new SkillSpec.Tool("x__two", Optional.of("large")), new SkillSpec.Tool("x__three", Optional.empty()));

        assertThat(spec(skill("b", fields("b", "tools: []")), "b").tools()).isEmpty();
        assertThat(spec(skill("c", fields("c", "license: MIT")), "c").tools()).isEmpty();
    }

    @Test
    @DisplayName("SKL-04: a skill with a tool of another one refuses the bundle and names both")
    void aToolBelongsToOneSkill() {
        BundleReport report = Checked.files("goondan.yaml", MAIN, "skills/a/SKILL.md", fields("a", "tools: [x__one]"),
                "skills/b/SKILL.md", fields("b", "tools: [x__two, x__one]"));

        assertThat(errors(report)).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.E_CONFIG_DUPLICATE_REF);
            assertThat(problem.file()).isEqualTo("skills/b/SKILL.md");
            assertThat(problem.message()).contains("x__one").contains("the skill a");
        });
    }

    @Test
    @DisplayName("SKL-07: one invalid tool of a skill refuses all of it, at its line")
    void oneInvalidToolRefusesTheBundle() {
        BundleReport report = skill("a", """
                ---
                name: a
                description: A
                tools:
                  - x__one
                  - x__two
                  - no name
                ---
                Do it.
                """);

        assertThat(errors(report)).singleElement().satisfies(problem -> {
            assertThat(problem.message()).isEqualTo("'no name' is no full name of a tool.");
            assertThat(problem.line()).isEqualTo(7);
        });
    }

    @Test
    @DisplayName("SKL-12: skills that require each other are refused, all of them named")
    void cyclesAreRefused() {
        BundleReport report = Checked.files("goondan.yaml", MAIN, "skills/a/SKILL.md",
                fields("a", "requires: {skills: [b]}"), "skills/b/SKILL.md", fields("b", "requires: {skills: [c]}"),
                "skills/c/SKILL.md", fields("c", "requires: {skills: [a]}"), "skills/d/SKILL.md",
                fields("d", "requires: {skills: [a]}"), "skills/e/SKILL.md", fields("e", "requires: {skills: [e]}"));

        assertThat(errors(report)).extracting(BundleProblem::message).containsExactlyInAnyOrder(
                "The skills a → b → c → a require each other.", "The skills b → c → a → b require each other.",
                "The skills c → a → b → c require each other.", "The skills e → e require each other.");
    }

    @Test
    void whatIsWrongIsNamedWithItsLine() {
        assertWrong(skill("a", "# Only text"), 1, "does not begin with fields");
        assertWrong(skill("a", "---\nname: a\ndescription: A\n"), 1, "does not begin with fields");
        assertWrong(skill("a", "---\n---\ntext"), 1, "no fields");
        assertWrong(skill("a", "---\ndescription: A\n---\ntext"), 2, "metadata.name is missing");
        assertWrong(skill("a", "---\nname: b\ndescription: A\n---\ntext"), 2, "lies in a folder 'a'");
        assertWrong(skill("a", "---\nname: a\n---\ntext"), 2, "spec.description is missing");
        assertWrong(skill("a", "---\nname: a\ndescription: A\n---\n\n"), 5, "spec.body is missing");
        assertWrong(skill("a", fields("a", "version: '1.0'")), 4, "must be a version, and is '1.0'");
        assertWrong(skill("a", fields("a", "color: red")), 4, "'color'");
        assertWrong(skill("a", fields("a", "requires: {skills: [z]}")), 4, "no skill 'z'");
        assertWrong(skill("a", fields("a", "requires: {tools: [exec]}")), 4, "no full name");
        assertWrong(skill("a", fields("a", "tools: [x__a, x__a]")), 4, "listed twice");
        assertWrong(skill("a", fields("a", "license: MIT") + "x".repeat(SkillSpec.LARGEST_BODY)), 6,
                "may have " + SkillSpec.LARGEST_BODY);
        assertWrong(Checked.files("goondan.yaml", MAIN, "skills/a/SKILL.md", fields("a", "license: MIT"),
                "more/skills/a/SKILL.md", fields("a", "license: MIT")), 2, "exists already");
    }

    @Test
    void fieldsForOtherRuntimesAreNoErrors() {
        assertThat(skill("a", fields("a", "allowed-tools: Bash(git:*) Read")).problems()).singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.E_CONFIG_NOT_ACTED_ON));
    }

    @Test
    void aSkillMayStandInAResourceFile() {
        BundleReport report = Checked.yaml("""
                apiVersion: toolfleet.dev/v1
                kind: Skill
                metadata: {name: short}
                spec: {description: Does little., body: Do little.}
                """);

        assertThat(report.problems()).isEmpty();
        assertThat(spec(report, "short").version()).isEqualTo(SkillVersion.NONE);
    }

    private static void assertWrong(BundleReport report, int line, String message) {
        assertThat(errors(report)).singleElement().satisfies(problem -> {
            assertThat(problem.message()).contains(message);
            assertThat(problem.line()).isEqualTo(line);
        });
    }

    private static List<BundleProblem> errors(BundleReport report) {
        return report.problems().stream().filter(problem -> problem.severity() == Severity.ERROR).toList();
    }

    private static SkillSpec spec(BundleReport report, String name) {
        return SkillSpec.of(report.bundle().find(Kinds.SKILL, name).orElseThrow().document());
    }

    private static BundleReport skill(String folder, String text) {
        return Checked.files("goondan.yaml", MAIN, "skills/" + folder + "/SKILL.md", text);
    }

    private static String fields(String name, String line) {
        return "---\nname: " + name + "\ndescription: Does " + name + ".\n" + line + "\n---\nDo it.\n";
    }
}
