package dev.toolfleet.bundle.yaml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class BundleLoaderTest {
    @TempDir
    Path folder;

    @Test
    void filesAreReadInOrderAndTheMainFileFirst() throws IOException {
        write("zebra/tools.yaml", agent("z"));
        write("agents.yml", agent("a"));
        write("my-own.yaml", agent("m"));
        write("toolfleet.yaml", agent("t"));
        write("goondan.yaml", agent("g1") + "---\n" + agent("g2"));

        LoadResult loaded = BundleLoader.load(folder);

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.bundle().resources()).extracting(Resource::name).containsExactly("g1", "g2", "t", "a", "m",
                "z");
        assertThat(loaded.bundle().resources()).extracting(Resource::documentIndex).containsExactly(0, 1, 0, 0, 0, 0);
        assertThat(loaded.bundle().resources().getLast().file()).isEqualTo("zebra/tools.yaml");
    }

    @Test
    void foldersOfOthersAreNotRead() throws IOException {
        write("goondan.yaml", agent("g"));
        for (String other : new String[]{"dist", "node_modules/x", ".git", "target", "src/main", ".hidden"}) {
            write(other + "/tools.yaml", agent("other"));
        }

        assertThat(BundleLoader.load(folder).bundle().resources()).extracting(Resource::name).containsExactly("g");
    }

    // Otherwise: a file src/tools.yaml is not seen, and the error is a missing Tool.
    @Test
    void resourceFilesInFoldersOfSourcesAreNamedAndNotRead() throws IOException {
        write("goondan.yaml", agent("g"));
        write("src/tools.yaml", agent("other"));
        write("target/classes/agents.yaml", agent("another"));
        write("src/main/resources/application.yaml", "port: 1\n");

        LoadResult loaded = BundleLoader.load(folder);

        assertThat(loaded.bundle().resources()).extracting(Resource::name).containsExactly("g");
        assertThat(loaded.problems()).extracting(BundleProblem::file).containsExactlyInAnyOrder("src/tools.yaml",
                "target/classes/agents.yaml");
        assertThat(loaded.problems()).allMatch(p -> p.code() == ProblemCode.E_CONFIG_FILE_SKIPPED
                && p.severity() == Severity.NOTICE && p.message().contains("in a folder"));
    }

    @Test
    void yamlOfOthersIsSkippedWithANotice() throws IOException {
        write("goondan.yaml", agent("g"));
        write("docker-compose.yaml", "services:\n  kafka:\n    image: kafka\n");
        write("fleet.yaml", "kafka: {bootstrap: x}\n");
        write("deploy/deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n");
        write("chart/templates/service.yaml", "kind: {{ .Values.kind }\nother: [\n");
        write("data.yaml", "x: " + "y".repeat(1 << 20));

        LoadResult loaded = BundleLoader.load(folder);

        assertThat(loaded.problems()).hasSize(5)
                .allMatch(p -> p.code() == ProblemCode.E_CONFIG_FILE_SKIPPED && p.severity() == Severity.NOTICE);
        assertThat(loaded.bundle().resources()).hasSize(1);
    }

    @Test
    void aBrokenResourceFileIsNeverSkipped() throws IOException {
        write("goondan.yaml", agent("g"));
        write("my-own.yaml", "apiVersion: goondan.ai/v1\nkind: [\n");
        write("tools.yaml", "- not\n- a mapping\n");
        write("agents.yaml", "name: x\n");
        write("swarm.yaml", "x: " + "y".repeat(1 << 20));
        Files.write(folder.resolve("models.yaml"), "x: \u00e9".getBytes(StandardCharsets.ISO_8859_1));

        LoadResult loaded = BundleLoader.load(folder);

        assertThat(loaded.problems()).extracting(BundleProblem::file).containsExactly("agents.yaml", "agents.yaml",
                "agents.yaml", "models.yaml", "my-own.yaml", "swarm.yaml", "tools.yaml");
        assertThat(loaded.problems()).extracting(BundleProblem::code).contains(ProblemCode.E_CONFIG_FILE_TOO_LARGE,
                ProblemCode.E_CONFIG_PARSE_ERROR, ProblemCode.E_CONFIG_SCHEMA_INVALID);
        assertThat(loaded.bundle().resources()).extracting(Resource::name).containsExactly("g");
    }

    @Test
    void anEmptyFolderIsAnError() {
        assertThat(BundleLoader.load(folder).problems()).extracting(BundleProblem::code)
                .containsExactly(ProblemCode.E_CONFIG_EMPTY);
    }

    @Test
    void aMissingFolderIsAnError() {
        assertThat(BundleLoader.load(folder.resolve("none")).problems()).extracting(BundleProblem::code)
                .containsExactly(ProblemCode.E_CONFIG_FILE_UNREADABLE);
    }

    @Test
    void aByteOrderMarkDoesNotMatter() throws IOException {
        write("goondan.yaml", "\uFEFF" + agent("g"));

        assertThat(BundleLoader.load(folder).bundle().resources()).hasSize(1);
    }

    @Test
    void aLoopOfLinksEnds() throws IOException {
        write("goondan.yaml", agent("g"));
        Files.createSymbolicLink(folder.resolve("loop"), folder);

        assertThat(BundleLoader.load(folder).bundle().resources()).hasSize(1);
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String agent(String name) {
        return "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: " + name + "}\nspec: {}\n";
    }
}
