package dev.toolfleet.bundle.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SkillFolderTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeMainFile() throws IOException {
        write("bundle/toolfleet.yaml",
                "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: coder}\nspec: {}\n");
    }

    @Test
    void ofASkillsFolderItsFileAloneIsRead() throws IOException {
        write("bundle/skills/a/SKILL.md", skill("a"));
        write("bundle/skills/a/assets/values.yaml", "not: ours");
        write("bundle/skills/a/tools.yaml", skill("b"));
        write("bundle/skills/README.md", "no skill");
        write("bundle/SKILL.md", "no skill");

        LoadResult loaded = load();

        assertThat(loaded.bundle().ofKind(Kinds.SKILL)).extracting(Resource::name).containsExactly("a");
        assertThat(loaded.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.E_CONFIG_FILE_SKIPPED);
            assertThat(problem.file()).isEqualTo("skills/a/tools.yaml");
        });
    }

    @Test
    @DisplayName("SKL-11: a skill that a link leads out of the bundle is refused with the reason")
    void aLinkOutOfTheBundleIsRefused() throws IOException {
        write("elsewhere/SKILL.md", skill("a"));
        write("bundle/skills/b/SKILL.md", skill("b"));
        Files.createSymbolicLink(folder.resolve("bundle/skills/a"), folder.resolve("elsewhere"));
        Files.createDirectories(folder.resolve("bundle/skills/c"));
        Files.createSymbolicLink(folder.resolve("bundle/skills/c/SKILL.md"), folder.resolve("elsewhere/SKILL.md"));

        LoadResult loaded = load();

        assertThat(loaded.bundle().ofKind(Kinds.SKILL)).extracting(Resource::name).containsExactly("b");
        assertThat(loaded.problems()).hasSize(2).allSatisfy(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.E_CONFIG_FILE_UNREADABLE);
            assertThat(problem.message()).contains("link out of the bundle").contains("elsewhere");
        }).extracting(BundleProblem::file).containsExactlyInAnyOrder("skills/a/SKILL.md", "skills/c/SKILL.md");
    }

    @Test
    void aLinkInsideTheBundleIsFollowed() throws IOException {
        write("bundle/shared/a/SKILL.md", skill("a"));
        Files.createDirectories(folder.resolve("bundle/skills"));
        Files.createSymbolicLink(folder.resolve("bundle/skills/a"), folder.resolve("bundle/shared/a"));

        assertThat(load().bundle().ofKind(Kinds.SKILL)).extracting(Resource::name).containsExactly("a");
    }

    @Test
    void windowsLineEndsAreRead() throws IOException {
        write("bundle/skills/a/SKILL.md", skill("a").replace("\n", "\r\n"));

        assertThat(load().problems()).isEmpty();
        assertThat(load().bundle().ofKind(Kinds.SKILL)).extracting(skill -> skill.spec().path("body").asString())
                .containsExactly("Do it.");
    }

    private LoadResult load() {
        return BundleLoader.load(folder.resolve("bundle"));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String skill(String name) {
        return "---\nname: " + name + "\ndescription: Does " + name + ".\n---\nDo it.\n";
    }
}
