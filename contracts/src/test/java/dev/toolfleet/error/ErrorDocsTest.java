package dev.toolfleet.error;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.docs.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/errors.md` and [ErrorCode] are equal.
class ErrorDocsTest {
    private static final Map<String, List<String>> SECTIONS = Docs.sections("errors.md", "##");
    private static final List<String> QUESTIONS = List.of("**What happened.**", "**Side effect?**", "**The model**",
            "**Operator and author.**");

    @Test
    void everyCodeHasItsSectionAndNoSectionIsOrphaned() {
        List<String> codes = SECTIONS.keySet().stream().filter(title -> title.startsWith("E_")).toList();

        assertThat(codes).containsExactlyElementsOf(Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
    }

    @ParameterizedTest
    @EnumSource
    void aSectionQuotesTheCodesNameAndSuggestion(ErrorCode code) {
        List<String> section = section(code);
        List<String> quotes = section.stream().filter(line -> line.startsWith("> ")).map(line -> line.substring(2))
                .toList();

        assertThat(quotes).containsExactly(code.suggestion());
        assertThat(String.join("\n", section)).contains("`" + code.errorName() + "`");
    }

    @ParameterizedTest
    @EnumSource
    void aSectionAnswersEveryQuestion(ErrorCode code) {
        for (String question : QUESTIONS) {
            assertThat(section(code)).as(question).filteredOn(line -> line.startsWith(question)).hasSize(1)
                    .allMatch(line -> line.length() > question.length() + 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theTableAnswersWhetherTheSideEffectMayHaveHappened(ErrorCode code) {
        List<Docs.Row> rows = Docs.table("errors.md", "code");

        assertThat(rows).hasSameSizeAs(ErrorCode.values())
                .filteredOn(row -> row.cell("code").equals("[" + code + "](#" + code.name().toLowerCase(
                        Locale.ROOT) + ")"))
                .hasSize(1).allSatisfy(row -> {
                    String answer = row.cell("may the side effect have happened?");
                    assertThat(section(code)).anyMatch(line -> line.startsWith("**Side effect?** " + answer));
                });
    }

    private static List<String> section(ErrorCode code) {
        return SECTIONS.getOrDefault(code.name(), List.of());
    }
}
