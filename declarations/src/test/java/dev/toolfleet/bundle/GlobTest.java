package dev.toolfleet.bundle;

import java.util.regex.Pattern;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GlobTest {
    @ParameterizedTest
    @CsvSource({"*, bash__exec, true", "bash__*, bash__exec, true", "bash__*, bash__, true",
            "bash__*, bash_exec, false",
            "*__exec, bash__exec, true", "*__exec, bash__exec2, false", "b*c, bash__exec, true",
            "b*h__e*c, bash__exec, true", "*__*, bash__exec, true", "*exec*exec*, bash__exec, false",
            "bash__exec, bash__exec, true", "bash__exec, bash__exec2, false",
            "bash__execexec*exec, bash__execexec, false",
            "BASH__*, bash__exec, true", "bash__exec, BASH__EXEC, true", "slack.*, slack.postMessage, true",
            "slack.*, slackXpostMessage, false"})
    void aStarStandsForAnythingAndTheRestForItself(String glob, String name, boolean matches) {
        assertThat(Glob.of(glob).matches(name)).isEqualTo(matches);
    }

    @Property(seed = "5")
    void itMatchesWhatTheRegularExpressionMatches(
            @ForAll @Chars('*') @CharRange(from = 'a', to = 'c') @StringLength(min = 1, max = 8) String glob,
            @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 10) String name) {
        assertThat(Glob.of(glob).matches(name)).isEqualTo(Pattern.matches(glob.replace("*", ".*"), name));
    }

    @Property(seed = "6")
    void aGlobThatCoversAnotherMatchesAllThatTheOtherMatches(
            @ForAll @Chars('*') @CharRange(from = 'a', to = 'b') @StringLength(min = 1, max = 5) String one,
            @ForAll @Chars('*') @CharRange(from = 'a', to = 'b') @StringLength(min = 1, max = 5) String other,
            @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 6) String name) {
        if (Glob.of(one).covers(Glob.of(other)) && Glob.of(other).matches(name))
            assertThat(Glob.of(one).matches(name)).isTrue();
    }

    @Test
    void coveringIsSeen() {
        assertThat(Glob.of("bash__*").covers(Glob.of("bash__e*"))).isTrue();
        assertThat(Glob.of("*").covers(Glob.of("bash__*"))).isTrue();
        assertThat(Glob.of("bash__e*").covers(Glob.of("bash__*"))).isFalse();
        assertThat(Glob.of("bash__exec").covers(Glob.of("bash__*"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "finance:*", "a b", "a?", "a|b", "{a,b}", "도구"})
    void whatNoNameCanHoldIsRefused(String text) {
        assertThat(Glob.problem(text)).isPresent();
        assertThatThrownBy(() -> Glob.of(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void manyStarsOnAHostileNameEndAtOnce() {
        Glob glob = Glob.of("*a".repeat(50) + "*b");

        assertThat(glob.matches("a".repeat(100_000))).isFalse();
    }
}
