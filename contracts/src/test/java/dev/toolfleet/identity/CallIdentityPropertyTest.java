package dev.toolfleet.identity;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

class CallIdentityPropertyTest {

    /// The texts consist of separators and escapes, so that a careless join would collide.
    @Property(seed = "2026", tries = 2000)
    void differentPartsNeverCollide(@ForAll("parts") List<String> one, @ForAll("parts") List<String> other) {
        assertThat(identity(one).equals(identity(other))).isEqualTo(one.equals(other));
    }

    @Property(seed = "2027", tries = 1000)
    void aResumedCallNeverCollidesWithAnother(@ForAll("parts") List<String> one, @ForAll("parts") List<String> other,
            @ForAll("texts") String handle, @ForAll("texts") String otherHandle) {
        CallIdentity resumed = identity(one).resumedBy(handle);

        assertThat(resumed).isNotEqualTo(identity(other));
        assertThat(resumed.equals(identity(other).resumedBy(otherHandle)))
                .isEqualTo(one.equals(other) && handle.equals(otherHandle));
    }

    @Provide
    Arbitrary<List<String>> parts() {
        return texts().list().ofSize(5);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars('"', ',', '\\', '[', ']', 'a', '\ud83d').ofMaxLength(3);
    }

    private static CallIdentity identity(List<String> parts) {
        ToolCall call = ToolCall.of(parts.get(4), "x", Json.MAPPER.createObjectNode(), parts.get(0))
                .inStep(parts.get(1), parts.get(2), parts.get(3), 0);
        return CallIdentity.of(call, 0, 0);
    }
}
