package dev.toolfleet.bundle;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

class ToolNamePropertyTest {
    @Property(seed = "42")
    void whatIsBuiltParsesBack(@ForAll("parts") String resource, @ForAll("parts") String export) {
        ToolName name = new ToolName(resource, export);

        assertThat(ToolName.parse(name.toString())).contains(name);
    }

    @Property(seed = "42")
    void whatParsesBuildsBack(@ForAll("texts") String text) {
        ToolName.parse(text).ifPresent(name -> assertThat(name).hasToString(text));
    }

    @Provide
    Arbitrary<String> parts() {
        return Arbitraries.strings().withChars("aZ09_-").ofMinLength(1).ofMaxLength(12)
                .filter(part -> ToolName.partProblem(part).isEmpty());
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("ab_.-").ofMaxLength(12);
    }
}
