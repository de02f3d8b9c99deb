package dev.toolfleet.http;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RequestTargetTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a=b&c", "%25", "%c3%a9", "%F0%9F%98%80x", "%2f%2F", "\u00e9", "%c3%a9\u00e9%41", "+",
            "%ef%bf%bd",
            "100%25"})
    void percentEncodedUtf8IsAccepted(String text) {
        new RequestTarget("/" + text, text).check();
        new RequestTarget("/", null).check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "%+1", "%-1", "a%4", "%ff", "%c3", "%c3x", "%c3\u00e9", "%ed%a0%80",
            "%c0%af",
            "%f5%80%80%80", "\ufffd", "%\uff11\uff11"})
    void anythingElseIsRefusedByTheNameOfItsPart(String text) {
        refused("/" + text, null, "path");
        refused("/", text, "query");
    }

    private static void refused(String path, @Nullable String query, String part) {
        assertThatThrownBy(() -> new RequestTarget(path, query).check())
                .isInstanceOfSatisfying(ProblemException.class, e -> {
                    assertThat(e.problem().type())
                            .isEqualTo(ProblemType.INVALID_REQUEST);
                    assertThat(e.problem().detail()).contains("The " + part);
                });
    }
}
