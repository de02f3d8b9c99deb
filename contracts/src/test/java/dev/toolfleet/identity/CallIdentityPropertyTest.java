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

    @Property(seed = "2028", tries = 2000)
    void aKeyNeverCollidesWithAnotherKeyAStepARecordOrAGrant(@ForAll("parts") List<String> one,
            @ForAll("parts") List<String> other, @ForAll("keys") String key, @ForAll("keys") String otherKey) {
        CallIdentity named = named(one, key);

        assertThat(named.equals(named(other, otherKey))).isEqualTo(
                key.equals(otherKey) && one.get(0).equals(other.get(0)) && one.get(1).equals(other.get(1)));
        assertThat(named).isNotEqualTo(identity(other)).isNotEqualTo(CallIdentity.ofRecord(1, 2))
                .isNotEqualTo(identity(other).resumedBy(otherKey)).isNotEqualTo(named(one, key).resumedBy(otherKey));
        assertThat(named.isOfRecord()).isFalse();
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings().withChars('"', ',', '\\', '[', ']', 'a', '1').ofMinLength(1).ofMaxLength(3);
    }

    @Provide
    Arbitrary<List<String>> parts() {
        return texts().list().ofSize(5);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars('"', ',', '\\', '[', ']', 'a', '\ud83d').ofMaxLength(3);
    }

    private static CallIdentity named(List<String> parts, String key) {
        return CallIdentity.of(call(parts).named(key), 0, 0);
    }

    private static CallIdentity identity(List<String> parts) {
        return CallIdentity.of(call(parts), 0, 0);
    }

    private static ToolCall call(List<String> parts) {
        return ToolCall.of(parts.get(4), "x", Json.MAPPER.createObjectNode(), parts.get(0))
                .inStep(parts.get(1), parts.get(2), parts.get(3), 0);
    }
}
