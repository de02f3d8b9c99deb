package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.PromptSectionSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class PromptSectionRulesTest {
    static Stream<Case> sections() {
        return Stream.of(
                Case.error("a section has a title", "text: Be brief.", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.title", "missing"),
                Case.error("a section has a text", "title: Style", ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.text",
                        "missing"),
                Case.error("a title is one line", "title: |\n  One\n  two\ntext: x",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.title", "one line"),
                Case.error("a stability is a known one", "title: A\ntext: x\nstability: forever",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.stability", "static, agent"),
                Case.error("a share of the budget is above 0", "title: A\ntext: x\nshare: 0",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.share", "above 0"),
                Case.error("agents of a section exist", "title: A\ntext: x\nagents: [absent]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.agents[0]", "no Agent"),
                Case.error("fields of a section are known", "title: A\ntext: x\nbody: y",
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.body", "body"));
    }

    @ParameterizedTest
    @MethodSource("sections")
    void everyRuleOfASectionIsReported(Case row) {
        row.verify(Checked.yaml(section("style", row.text())));
    }

    @Test
    void aWholeSectionIsValid() {
        BundleReport report = Checked.yaml(section("style",
                "title: Style\ntext: Be brief.\nreach: fleet\nagents: [coder]\nstability: session\npriority: 7\n"
                        + "required: true\nshare: 0.5"));
        assertThat(report.problems()).isEmpty();
        PromptSectionSpec spec = PromptSectionSpec
                .of(report.bundle().find(Kinds.PROMPT_SECTION, "style").orElseThrow().document());
        assertThat(spec.stability()).isEqualTo(PromptSectionSpec.Stability.SESSION);
        assertThat(spec.required()).isTrue();
    }

    @Test
    void namesOfTheSeedsSectionsAreTaken() {
        assertThat(Checked.yaml(section("tools", "title: A\ntext: x")).problems()).singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.E_CONFIG_DUPLICATE_NAME));
        assertThat(Checked.yaml(section("Team_Style", "title: A\ntext: x")).problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("may hold only lower-case letters"));
    }

    private static String section(String name, String spec) {
        return "apiVersion: toolfleet.dev/v1\nkind: PromptSection\nmetadata: {name: " + name + "}\nspec:\n"
                + spec.indent(2);
    }
}
