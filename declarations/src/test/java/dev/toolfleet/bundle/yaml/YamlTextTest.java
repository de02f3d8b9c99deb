package dev.toolfleet.bundle.yaml;

import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.SourcePosition;
import dev.toolfleet.bundle.yaml.NodeReader.YamlDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class YamlTextTest {
    private static final DocPath SPEC = DocPath.ROOT.key("spec");

    @Test
    void everyKeyAndValueKeepsItsPosition() {
        YamlDocument document = parse("""
                # a comment
                ---
                kind: Tool
                spec:
                  exports:
                    - name: "start"
                      labels: {a/b: 1}
                """).documents().getFirst();
        DocPath export = SPEC.key("exports").index(0);

        assertThat(document.source().value(export.key("name"))).isEqualTo(new SourcePosition("x.yaml", 6, 13));
        assertThat(document.source().key(export.key("name"))).isEqualTo(new SourcePosition("x.yaml", 6, 7));
        assertThat(document.source().value(export.key("missing"))).isEqualTo(new SourcePosition("x.yaml", 6, 7));
        assertThat(document.source().key(export.key("labels").key("a/b")))
                .isEqualTo(new SourcePosition("x.yaml", 7, 16));
        assertThat(export.key("labels").key("a/b")).hasToString("spec.exports[0].labels[\"a/b\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"yes | \"yes\"", "true | true", "~ | null", "0o17 | 15",
            "0x1F | 31", "1.50 | 1.50", "1e3 | 1E+3", "12345678901234567890 | 12345678901234567890",
            "2024-01-01 | \"2024-01-01\"", "'1' | \"1\"", "[a, {b: c}] | [\"a\",{\"b\":\"c\"}]", "!!str 1 | \"1\""})
    void scalarsFollowTheCoreSchema(String yaml, String json) {
        assertThat(parse("k: " + yaml).documents().getFirst().value().path("k").toString()).isEqualTo(json);
    }

    @Test
    void blockScalarsAndFlowListsAreRead() {
        JsonNode value = parse("text: |\n  one\n  two\nrequired: [command, cwd]\n").documents().getFirst().value();

        assertThat(value.path("text").stringValue()).isEqualTo("one\ntwo\n");
        assertThat(value.path("required").size()).isEqualTo(2);
    }

    @Test
    void emptyDocumentsAreDropped() {
        assertThat(parse("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n").documents()).extracting(YamlDocument::index)
                .containsExactly(0, 1);
    }

    @Test
    void readingGoesOnAfterADocumentThatDoesNotParse() {
        YamlText.Parsed parsed = parse("a: 1\n---\nb: [1, 2\n---\nc: 3\n---\nd: \"open\n---\ne: 5\n");

        assertThat(parsed.documents()).extracting(document -> document.value().propertyNames().iterator().next())
                .containsExactly("a", "c", "e");
        assertThat(parsed.documents().getLast().source().value(DocPath.ROOT.key("e")))
                .isEqualTo(new SourcePosition("x.yaml", 9, 4));
        assertThat(parsed.problems()).hasSize(2).allMatch(p -> p.code() == ProblemCode.E_CONFIG_PARSE_ERROR)
                .allMatch(p -> p.line() > 0);
    }

    @Test
    void aDuplicateKeyNamesBothPlaces() {
        YamlText.Parsed parsed = parse("a: 1\nb: 2\na: 3\n");

        assertThat(parsed.documents().getFirst().value().path("a").asInt()).isEqualTo(1);
        assertThat(parsed.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.message()).contains("'a'").contains("line 1");
        });
    }

    @Test
    void aliasesAreCopiedAndMergesFilledIn() {
        JsonNode value = parse("base: &b {x: 1, y: 2}\nsame: *b\nmore:\n  <<: *b\n  y: 3\n").documents().getFirst()
                .value();

        assertThat(value.path("same").toString()).isEqualTo("{\"x\":1,\"y\":2}");
        assertThat(value.path("more").path("x").asInt()).isEqualTo(1);
        assertThat(value.path("more").path("y").asInt()).isEqualTo(3);
    }

    @Test
    void aliasesThatExplodeAreRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(10)));
        }

        assertThat(messages(bomb.toString())).singleElement().asString().contains("10 times");
    }

    @Test
    void aCycleIsRefused() {
        assertThat(messages("a: &a\n  b: *a\n")).singleElement().asString().contains("contains it");
    }

    @Test
    void deepNestingIsRefused() {
        assertThat(messages("[".repeat(100_000))).singleElement().asString().contains("levels deep");
    }

    @Test
    void whatJsonCannotHoldIsRefused() {
        assertThat(messages("a: .nan\nb: -.inf\nc: !!binary aGk=\nd: !mine {}\n? [x, y]\n: 1\n")).hasSize(5);
    }

    @Test
    void aControlCharacterIsPlaced() {
        assertThat(parse("a: 1\nb: \u0001\n").problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(2);
            assertThat(problem.column()).isEqualTo(4);
            assertThat(problem.message()).contains("U+0001");
        });
    }

    @Test
    void moreThanAHundredDocumentsAreReported() {
        YamlText.Parsed parsed = parse("a: 1\n---\n".repeat(101));

        assertThat(parsed.documents()).hasSize(100);
        assertThat(parsed.problems()).extracting(BundleProblem::code)
                .containsExactly(ProblemCode.E_CONFIG_TOO_MANY_DOCUMENTS);
        assertThat(parse("a: 1\n---\n".repeat(100)).problems()).isEmpty();
    }

    /// Each broken document is one problem, and one pass over the rest of the file.
    @Test
    void afterTwentyBrokenDocumentsNothingIsReadAnyMore() {
        YamlText.Parsed parsed = parse("--- {\n".repeat(16_000) + "---\na: 1\n");

        assertThat(parsed.problems()).hasSize(21);
        assertThat(parsed.problems().getLast().message()).contains("20 documents cannot be parsed");
        assertThat(parsed.documents()).isEmpty();
        assertThat(parse("--- {\n".repeat(5) + "---\na: 1\n").documents()).hasSize(1);
    }

    @Test
    void readingGoesOnBehindEmptyDocumentsAndABrokenOne() {
        YamlText.Parsed parsed = parse("---\n".repeat(2_000) + "k: {\n---\na: 1\n");

        assertThat(parsed.problems()).hasSize(1);
        assertThat(parsed.documents()).hasSize(1);
        assertThat(parsed.documents().getFirst().source().document().line()).isEqualTo(2_003);
    }

    @ParameterizedTest
    @CsvSource({"9,integer", "1.9,decimal", "-9,negative", "0xf,hexadecimal"})
    void aNumberOfMoreThanAThousandCharactersIsNeverConverted(String begins, String kind) {
        String digit = begins.substring(begins.length() - 1);

        assertThat(parse("k: " + begins + digit.repeat(900_000)).problems()).as(kind).singleElement()
                .satisfies(problem -> {
                    assertThat(problem.message()).contains("JSON cannot hold").hasSizeLessThan(150);
                });
        assertThat(parse("k: " + begins + digit.repeat(900)).problems()).isEmpty();
    }

    private static List<String> messages(String text) {
        return Stream.of(parse(text)).flatMap(parsed -> parsed.problems().stream()).map(BundleProblem::message)
                .toList();
    }

    private static YamlText.Parsed parse(String text) {
        return YamlText.parse("x.yaml", text);
    }
}
