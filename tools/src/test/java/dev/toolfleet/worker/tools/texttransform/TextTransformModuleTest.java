package dev.toolfleet.worker.tools.texttransform;

import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TextTransformModuleTest {
    private static final String SMILE = "\ud83d\ude00";

    private final DeclaredTool text = new DeclaredTool("text-transform", new TextTransformModule());

    @Test
    void replaceTakesTextAsItIs() throws Exception {
        assertThat(result("replace", "{'text': 'a.b.c', 'search': '.', 'replacement': '$1'}"))
                .isEqualTo("{\"original\":\"a.b.c\",\"result\":\"a$1b.c\",\"replacements\":1}");
        assertThat(result("replace", "{'text': 'a.b.c', 'search': '.', 'all': true}"))
                .isEqualTo("{\"original\":\"a.b.c\",\"result\":\"abc\",\"replacements\":2}");
        assertThat(result("replace", "{'text': 'aaa', 'search': 'aa', 'replacement': 'b', 'all': true}"))
                .contains("\"ba\"");
        assertThat(result("replace", "{'text': '', 'search': 'x'}")).contains("\"result\":\"\",\"replacements\":0");
        assertThat(code("replace", "{'text': 'x', 'search': ''}")).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"ann=1, bob=2 | (\\\\w+)=(\\\\d) | $2:${1} | 1:ann, 2:bob",
            "ann | (?P<first>a) | [${first}$0] | [aa]nn", "abc | b* | - | -a--c-", "a1 | \\\\d | $$ | a$",
            "abc | (x)?b | <$1> | a<>c"})
    void aRegularExpressionMayUseItsGroups(String given, String search, String replacement, String result)
            throws Exception {
        assertThat(text.call("replace", "{'text': '" + given + "', 'search': '" + search + "', 'replacement': '"
                + replacement + "', 'all': true, 'regex': true}").path("result").asString()).isEqualTo(result);
    }

    @Test
    void aRegularExpressionMayReplaceTheFirstMatchAlone() throws Exception {
        assertThat(result("replace", "{'text': 'a1b2', 'search': '[0-9]', 'regex': true}"))
                .contains("\"ab2\",\"replacements\":1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a{1001}", "(((a{100}){100}){100}){100}", "(?=a)", "(a)\\\\1"})
    void aRegularExpressionThatIsNoneOrTooLargeIsRefused(String search) throws Exception {
        assertThat(code("replace", "{'text': 'a', 'search': '" + search + "', 'regex': true}"))
                .isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(code("replace", "{'text': 'a', 'search': '" + "(".repeat(400) + ")".repeat(400)
                + "', 'regex': true}")).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$", "$2", "${name}", "a$b"})
    void aReplacementMayOnlyNameGroupsThatThereAre(String replacement) throws Exception {
        assertThat(code("replace", "{'text': 'a', 'search': '(a)', 'replacement': '" + replacement
                + "', 'regex': true}")).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    @Test
    void aPatternThatHangsOthersEnds() throws Exception {
        assertThat(result("replace", "{'text': '" + "a".repeat(50_000) + "', 'search': '(a|aa)+$x', 'regex': true}"))
                .contains("\"replacements\":0");
    }

    @Test
    void aResultThatGrowsWithoutBoundIsRefused() throws Exception {
        String large = "x".repeat(10_000);
        assertThat(code("replace", "{'text': '" + large + "', 'search': 'x', 'replacement': '" + large
                + "', 'all': true}")).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(code("replace", "{'text': '" + large + "', 'search': '.*', 'replacement': '" + "$0".repeat(200)
                + "', 'regex': true}")).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(code("split", "{'text': '" + "x".repeat(300_000) + "', 'delimiter': ''}"))
                .isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(code("join", "{'parts': [" + "1,".repeat(200) + "1], 'delimiter': '" + large + "'}"))
                .isEqualTo("E_TOOL_RESULT_TOO_LARGE");
    }

    @ParameterizedTest
    @CsvSource({"start,1,b" + SMILE + "d", "end,2,ab", "start,-1,d", "start,2," + SMILE + "d", "start,99,''",
            "start,-99,ab" + SMILE + "d"})
    void sliceCountsCharacters(String key, int place, String result) throws Exception {
        assertThat(text.call("slice", "{'text': 'ab" + SMILE + "d', '" + key + "': " + place + "}").path("result")
                .asString())
                .isEqualTo(result);
    }

    @Test
    void sliceSaysWhatItDid() throws Exception {
        assertThat(result("slice", "{'text': 'ab" + SMILE + "d', 'start': -3, 'end': -1}")).isEqualTo("{\"original\":"
                + "\"ab" + SMILE + "d\",\"result\":\"b" + SMILE + "\",\"start\":-3,\"end\":-1,\"length\":2}");
        assertThat(result("slice", "{'text': 'ab" + SMILE + "d', 'start': 3, 'end': 1}"))
                .contains("\"result\":\"\"").contains("\"length\":0");
        assertThat(result("slice", "{'text': '" + SMILE + "'}")).contains("\"start\":0,\"end\":1,\"length\":1");
    }

    @Test
    void splitDropsWhatExceedsTheParts() throws Exception {
        assertThat(result("split", "{'text': 'a,b,,c,', 'delimiter': ','}"))
                .isEqualTo("{\"delimiter\":\",\",\"count\":5,\"parts\":[\"a\",\"b\",\"\",\"c\",\"\"]}");
        assertThat(result("split", "{'text': 'a,b,c', 'delimiter': ',', 'maxParts': 2}")).contains("[\"a\",\"b\"]");
        assertThat(result("split", "{'text': 'a\\nb'}")).contains("[\"a\",\"b\"]");
        assertThat(result("split", "{'text': 'a" + SMILE + "', 'delimiter': ''}"))
                .contains("[\"a\",\"" + SMILE + "\"]");
        assertThat(result("split", "{'text': '', 'delimiter': ''}")).contains("\"parts\":[]");
        assertThat(result("split", "{'text': ''}")).contains("\"parts\":[\"\"]");
        assertThat(result("split", "{'text': 'a', 'maxParts': 0}")).contains("\"parts\":[]");
    }

    @Test
    void joinTakesTextsNumbersAndFlags() throws Exception {
        assertThat(result("join", "{'parts': ['a', 1, 2.5, true], 'delimiter': '-'}"))
                .isEqualTo("{\"delimiter\":\"-\",\"count\":4,\"result\":\"a-1-2.5-true\"}");
        assertThat(result("join", "{'parts': []}")).contains("\"result\":\"\"");
        assertThat(text.failure("join", "{'parts': 'a'}")).hasMessage("'parts' must be an array");
        assertThat(text.failure("join", "{'parts': [null]}"))
                .hasMessage("'parts' must contain only string/number/boolean values");
    }

    @Test
    void trimRemovesWhiteSpaceOfUnicode() throws Exception {
        String given = "\\u00a0\\ufeff\\t a \\u2003\\n";
        assertThat(result("trim", "{'text': '" + given + "'}")).contains("\"result\":\"a\",\"mode\":\"both\"")
                .contains("\"trimmedLength\":1");
        assertThat(text.call("trim", "{'text': '" + given + "', 'mode': 'start'}").path("result").asString())
                .isEqualTo("a \u2003\n");
        assertThat(text.call("trim", "{'text': ' a ', 'mode': 'end'}").path("result").asString()).isEqualTo(" a");
        assertThat(code("trim", "{'text': 'a', 'mode': 'left'}")).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    @Test
    void caseFollowsUnicodeAndNoLanguage() throws Exception {
        assertThat(result("case", "{'text': 'Stra\u00dfe i', 'to': 'upper'}")).contains("\"STRASSE I\"");
        assertThat(result("case", "{'text': '\u00c4B', 'to': 'lower'}")).contains("\"\u00e4b\"");
        assertThat(text.failure("case", "{'text': 'a', 'to': 'title'}"))
                .hasMessage("Unsupported case transform 'title'. Use 'upper' or 'lower'.");
    }

    @Test
    void theOlderExportDoesWhatItsOperationSays() throws Exception {
        assertThat(result("transform", "{'operation': 'case', 'text': 'a', 'to': 'upper'}"))
                .isEqualTo("{\"operation\":\"case\",\"original\":\"a\",\"result\":\"A\",\"to\":\"upper\"}");
        assertThat(result("transform", "{'operation': 'split', 'text': 'a b', 'delimiter': ' '}"))
                .contains("[\"a\",\"b\"]");
        assertThat(text.failure("transform", "{'operation': 'reverse', 'text': 'a'}").suggestion())
                .contains("case, join, replace, slice, split, trim");
    }

    private String result(String export, String input) throws Exception {
        return text.call(export, input).toString();
    }

    private String code(String export, String input) throws Exception {
        return text.failure(export, input).code();
    }
}
