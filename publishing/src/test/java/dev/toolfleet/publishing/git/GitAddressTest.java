package dev.toolfleet.publishing.git;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GitAddressTest {
    @ParameterizedTest
    @CsvSource({"https://git.example/f.git, https://git.example/f.git, main, ''",
            "https://git.example/f.git#live, https://git.example/f.git, live, ''",
            "https://git.example/f.git#live:bundles, https://git.example/f.git, live, bundles",
            "file:///srv/f.git#:a/b/, file:///srv/f.git, main, a/b",
            "http://localhost:3000/f.git#team/x, http://localhost:3000/f.git, team/x, ''"})
    void hasAUrlABranchAndAFolder(String text, String url, String branch, String folder) {
        assertThat(GitAddress.parse(text)).isEqualTo(new GitAddress(url, branch, folder));
        assertThat(GitAddress.parse(GitAddress.parse(text).toString())).isEqualTo(GitAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bundles", "/srv/bundles", "C:/bundles", "./a@b"})
    void aFolderIsNone(String text) {
        assertThat(GitAddress.isOne(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"git@git.example:team/f.git", "ssh://git.example/f.git", "https://git.example/f.git#a..b",
            "https://git.example/f.git#-x", "https://git.example/f.git#main:../other",
            "https://git.example/f.git#main:a/../b", "/srv/f.git"})
    void isRefused(String text) {
        assertThatThrownBy(() -> GitAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://ann:s3cret@git.example/f.git", "https://ann:s3cret@git_host/f.git"})
    void aPasswordInItIsRefusedAndNotQuoted(String text) {
        assertThatThrownBy(() -> GitAddress.parse(text))
                .hasMessageContaining("worker.git.password").message().doesNotContain("s3cret");
    }
}
