package dev.toolfleet.worker.tools.args;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A spawned instance works in a folder whose owner may put something else in its place at any moment.
class WorkPathsIT {
    @TempDir
    Path temp;
    private Path workspace;
    private Path spawned;
    private Path elsewhere;

    @BeforeEach
    void folders() throws IOException {
        workspace = temp.toRealPath().resolve("workspace");
        spawned = Files.createDirectories(workspace.resolve("owner/sub/agent"));
        elsewhere = Files.createDirectories(workspace.resolve("other/agent"));
        Files.writeString(elsewhere.resolve("secret"), "of another instance");
    }

    /// As the owner's shell could: the folder above becomes a link.
    private void swap() throws IOException {
        Files.move(workspace.resolve("owner/sub"), workspace.resolve("owner/away"));
        Files.createSymbolicLink(workspace.resolve("owner/sub"), elsewhere.getParent());
    }

    @Test
    void aLinkInThePlaceOfTheWorkdirIsRefused() throws IOException {
        swap();

        assertThatThrownBy(() -> WorkPaths.of(spawned, workspace, true)).isInstanceOf(ToolException.class)
                .hasMessageContaining("no longer where it was");
    }

    @Test
    void aLinkThatAppearsAfterTheCheckIsNotFollowed() throws IOException {
        WorkPaths paths = WorkPaths.of(spawned, workspace, false);
        Path found = paths.resolve("secret");
        swap();

        assertThatThrownBy(() -> {
            try (HeldFolder held = paths.hold(found.resolveSibling(""))) {
                held.open(found.getFileName(), StandardOpenOption.READ, attributes -> {});
            }
        }).isInstanceOf(IOException.class);
        assertThatThrownBy(paths::identity).isInstanceOf(ToolException.class);
    }

    @Test
    void theFolderIsKnownByWhatItIsAndNotByItsName() throws IOException {
        String before = WorkPaths.of(spawned, workspace, false).identity();
        Files.move(spawned, spawned.resolveSibling("moved"));
        Files.createDirectory(spawned);

        assertThat(before).matches("[0-9a-f]+:[0-9]+");
        assertThat(WorkPaths.of(spawned, workspace, false).identity()).isNotEqualTo(before);
    }

    @Test
    void whatOnlyTheWorkerCouldReplaceNeedsNoCheck() {
        assertThat(WorkPaths.of(workspace.resolve("owner"), workspace, false).identity()).isNull();
        assertThat(WorkPaths.of(temp.resolve("workspace/owner"), workspace.resolve("none"), false).identity()).isNull();
    }

    @Test
    void aWorkspaceBehindALinkIsAWorkspace() throws IOException {
        Path link = Files.createSymbolicLink(temp.resolve("link"), workspace);

        WorkPaths paths = WorkPaths.of(link.resolve("owner/sub/agent"), link, false);

        assertThat(paths.root()).isEqualTo(spawned);
        assertThat(paths.resolve(link.resolve("owner/sub/agent/a").toString())).isEqualTo(spawned.resolve("a"));
    }
}
