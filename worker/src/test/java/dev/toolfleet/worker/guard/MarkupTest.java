package dev.toolfleet.worker.guard;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// What web pages are, and what only has angle brackets.
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
