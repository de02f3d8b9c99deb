package dev.toolfleet.bundle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FilePatternTest {
    @ParameterizedTest
    @CsvSource({"goondan.yaml, goondan.yaml, true", "goondan.yaml, a/goondan.yaml, false", "*.yaml, a.yaml, true",
            "*.yaml, a/b.yaml, false", "*, .hidden, true", "*, a/b, false", "**, a/b/c.txt, true", "**, .a/.b, true",
            "tools/**, tools/a.mjs, true", "tools/**, tools/a/b.mjs, true", "tools/**, tools, false",
            "tools/**, toolsets/a, false", "**/SKILL.md, SKILL.md, true", "**/SKILL.md, skills/x/SKILL.md, true",
            "**/SKILL.md, skills/xSKILL.md, false", "a/**/z, a/z, true", "a/**/z, a/b/c/z, true", "a/**/z, a/bz, false",
            "a**b, axxb, true", "a**b, ax/xb, false", "file?.txt, file1.txt, true", "file?.txt, file12.txt, false",
            "a?b, a/b, false", "[abc].md, b.md, true", "[abc].md, d.md, false", "[!abc].md, d.md, true",
            "[!abc].md, a.md, false", "[^a].md, b.md, true", "[a-c].md, b.md, true", "[!a]x, /x, false",
            "a.b, axb, false", "a+b, a+b, true", "tools/**/*.mjs, tools/x.mjs, true", "(a|b), a, false"})
    void selects(String pattern, String path, boolean selected) {
        assertThat(FilePattern.of(pattern).matches(path)).isEqualTo(selected);
    }

    @ParameterizedTest
    @CsvSource({"agents/a.yaml, true", "agents/*.yaml, false", "**, false", "a?c, false", "[a].md, false"})
    void onlyATextWithoutSignsNamesOneFile(String pattern, boolean path) {
        assertThat(FilePattern.of(pattern).isPath()).isEqualTo(path);
    }

    @Test
    void anOpenBracketIsRefused() {
        assertThatThrownBy(() -> FilePattern.of("a[b")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a[b");
    }
}
