package dev.toolfleet.client.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

class NameRulePropertyTest {
    private static final String SEED = "20261122";

    @Property(tries = 200, seed = SEED)
    void everyNameGetsOneThatIsAcceptedAndNobodyElses(@ForAll("names") Set<String> names,
            @ForAll("rules") NameRule rule) {
        Map<String, String> given = rule.given(names);

        assertThat(given.keySet()).isEqualTo(names);
        assertThat(given.values()).allMatch(rule::accepts).doesNotHaveDuplicates();
        assertThat(given).allSatisfy((name, called) -> {
            if (rule.accepts(name))
                assertThat(called).isEqualTo(name);
        });
    }

    @Property(tries = 200, seed = SEED)
    void theOrderOfTheToolsDoesNotCount(@ForAll("names") Set<String> names, @ForAll("rules") NameRule rule) {
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);

        assertThat(rule.given(reversed)).isEqualTo(rule.given(names));
    }

    @Property(tries = 200, seed = SEED)
    void aNameIsTheSameInEveryCatalog(@ForAll("names") Set<String> names, @ForAll("rules") NameRule rule) {
        Map<String, String> given = rule.given(names);

        for (String name : names)
            assertThat(rule.given(Set.of(name))).containsEntry(name, given.get(name));
    }

    @Property(tries = 100, seed = SEED)
    void aNameThatIsMadeToMeetAnothersStaysItsOwn(@ForAll("names") Set<String> names, @ForAll("rules") NameRule rule) {
        Set<String> meeting = new HashSet<>(names);
        meeting.addAll(rule.given(names).values());

        assertThat(rule.given(meeting).values()).allMatch(rule::accepts).doesNotHaveDuplicates()
                .hasSize(meeting.size());
    }

    @Provide
    Arbitrary<Set<String>> names() {
        Arbitrary<String> near = Arbitraries.strings().withChars("ab._-/ é").ofMinLength(1).ofMaxLength(4);
        Arbitrary<String> long1 = Arbitraries.strings().withChars("a.").ofMinLength(60).ofMaxLength(135);
        // Text that is not UTF-8 cannot be in a record.
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(200)
                .filter(name -> StandardCharsets.UTF_8.newEncoder().canEncode(name));
        return Arbitraries.oneOf(near, long1, any).set().ofMaxSize(20);
    }

    @Provide
    Arbitrary<NameRule> rules() {
        return Arbitraries.of(NameRule.PROVIDER, NameRule.MCP, NameRule.ANTHROPIC_ARGUMENT);
    }
}
