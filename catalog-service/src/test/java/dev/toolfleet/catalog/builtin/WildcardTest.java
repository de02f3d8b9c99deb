package dev.toolfleet.catalog.builtin;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WildcardTest {
    @ParameterizedTest
    @CsvSource({"bash__exec,bash__exec,true", "bash__exec,bash__exe,false", "bash__*,bash__exec,true",
            "bash__*,bash__,true", "*__delete,a__delete,true", "*__delete,a__delete2,false", "*,anything,true",
            "*a*b*,xaxbx,true", "*a*b,xbxa,false", "t__?,t__a,true", "t__?,t__ab,false", "t__?,t__,false",
            "a.b,axb,false", "**,x,true"})
    void aStarIsAnythingAndAQuestionMarkOneCharacter(String pattern, String text, boolean matches) {
        assertThat(new Wildcard(pattern).matches(text)).isEqualTo(matches);
    }
}
