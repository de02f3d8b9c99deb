package dev.toolfleet.bundle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SkillVersionTest {
    @Test
    void theOrderIsThatOfSemanticVersioning() {
        List<String> ascending = List.of("0.9.10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2",
                "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
                "99999999999999999999.0.0");
        List<SkillVersion> shuffled = new ArrayList<>(ascending.stream().map(SkillVersion::new).toList());
        Collections.reverse(shuffled);
        Collections.sort(shuffled);

        assertThat(shuffled).extracting(SkillVersion::text).isEqualTo(ascending);
        assertThat(new SkillVersion("1.0.0+a")).isEqualByComparingTo(new SkillVersion("1.0.0+b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0.0", "1.0.0 "})
    void whatIsNoVersionIsNone(String text) {
        assertThat(SkillVersion.parse(text)).isEmpty();
        assertThatThrownBy(() -> new SkillVersion(text)).hasMessageContaining("is no version such as 1.4.0");
    }
}
