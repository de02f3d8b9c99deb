package dev.toolfleet.worker.guard;

import java.util.concurrent.TimeUnit;

import dev.toolfleet.middleware.ToolReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Web pages, and texts that only have angle brackets.
class MarkupTest {
    private final Guards guards = new Guards();

    @ParameterizedTest
    @ValueSource(strings = {"List<Object> all = new ArrayList<Object>();", "Map<String, List<Style>> styles",
            "{\"page\": \"<script>alert(1)</script>\"}", "[\"<b>x</b>\"]",
            "<?xml version=\"1.0\"?><note to=\"Ada\"><![CDATA[text]]></note>", "#include <stdio.h>\nint main() {}",
            "<project><modelVersion>4.0.0</modelVersion></project>", "a<script>alert('x')", "diff <old >new"})
    void whatIsNoPageLosesNothing(String text) {
        String guarded = guards.web(text);

        assertThat(guarded.replace("&lt;", "<")).isEqualTo(text);
        assertThat(guarded).doesNotContainPattern("<[A-Za-z/!?]");
        assertThat(guards.web(guarded)).isEqualTo(guarded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<!DOCTYPE html><p>hello<script>evil()</script>",
            " \n<html lang='en'><body>hello<style>p{}</style></body></html>",
            "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html><body>hello</body></html>", "<P>hello<BR></P>",
            "<ul><li>hello</ul>", "he<b>l</b>lo<!-- evil() -->", "<body onload=evil()>hello"})
    void aPageIsReadAsABrowserReadsIt(String page) {
        assertThat(guards.web(page)).isEqualTo("hello");
    }

    @Test
    void harmlessMarkupStaysInPagesWhereItMay() {
        Guards html = new Guards("{\"allowHtml\": true}");

        assertThat(html.web("<p>a <b>b</b><script>evil()</script></p>")).isEqualTo("<p>a <b>b</b></p>");
        assertThat(html.web("List<Object> x")).isEqualTo("List&lt;Object> x");
    }

    // A page of 980,113 characters became a tree of 500 MB, once for each of several reads at a time.
    @Test
    void ofAPageThatIsABombOnlyTheBeginningIsRead() {
        StringBuilder bomb = new StringBuilder("<html>early");
        for (int i = 0; i < 12; i++)
            bomb.append("<b id=").append(i).append('>');
        while (bomb.length() < 980_113)
            bomb.append("<p>");

        ResultGuard.Guarded guarded = guards.guard("web__get", new ToolReply.Ok(StringNode.valueOf(bomb + "late")));

        assertThat(((ToolReply.Ok) guarded.reply()).output().stringValue()).startsWith("early").doesNotContain("late")
                .endsWith(Markers.TRUNCATED);
        assertThat(requireNonNull(guarded.facts()).truncated()).isTrue();
    }

    @Test
    void aPageIsCutBetweenCharacters() {
        String page = "<html>" + "\uD83D\uDE00".repeat(100_000);
        for (long max = 7; max < 9; max++)
            assertThat(new Pages(max).read(page, false).text()).doesNotContain("?").startsWith(
                    max == 7 ? "\n" + Markers.TRUNCATED : "\uD83D\uDE00\n");
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void whatLooksLikeTagsTakesLinearTime() {
        Guards all = new Guards("{\"maxContentLength\": 5000000}");

        assertThat(all.web("<?xml" + " ".repeat(300_000))).isNotNull();
        assertThat(all.web("<!doctype" + " ".repeat(300_000))).isNotNull();
        assertThat(all.web("</x".repeat(200_000))).isNotNull();
        assertThat(all.web("<b></b>".repeat(50_000) + "<object>")).startsWith("&lt;b>");
    }
}
