package dev.toolfleet.worker.agents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.worker.execute.Workspace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A spawned instance works where its owner said, and nowhere else.
class SpawnedHomesIT {
    private static final AgentAddress PLANNER = new AgentAddress("planner", "i");

    @TempDir
    Path root = Path.of(".");
    private final AtomicInteger catchUps = new AtomicInteger();
    private Path workdir = Path.of(".");
    private AgentFixture fleet = new AgentFixture(Path.of("."), Path.of("."));
    private Workspace workspace = new Workspace(Path.of("target"), () -> Instant.EPOCH);

    @BeforeEach
    void begin() {
        workdir = new Workspace(root, () -> Instant.EPOCH).folder("i");
        fleet = new AgentFixture(root, workdir);
        workspace = new Workspace(root, () -> Instant.EPOCH,
                new SpawnedHomes(fleet.instances, _ -> catchUps.incrementAndGet() > 0)::cwd);
    }

    @Test
    void itsFolderIsInsideItsOwners() {
        String cwd = fleet.callOf("planner", "i").spawn("coder", "a", "src/main").cwd();

        assertThat(cwd).isEqualTo(workdir.getFileName() + "/src/main");
        fleet.announced("coder", "i/a", PLANNER, cwd);
        assertThat(workspace.folder("coder", "i/a")).isEqualTo(workdir.resolve("src/main")).isDirectory();
        assertThat(workspace.folder("reviewer", "i/a")).as("another agent's").isNotEqualTo(workdir.resolve("src/main"));
        assertThat(workspace.folder("planner", "i")).isEqualTo(workdir);
    }

    @Test
    void itLeadsNowhereElse() throws IOException {
        Files.createSymbolicLink(workdir.resolve("out"), root);

        for (String outside : new String[]{"..", "../other", "/tmp", "out/x", "a/../../b"}) {
            assertThatThrownBy(() -> fleet.callOf("planner", "i").spawn("coder", "a", outside)).as(outside)
                    .isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("E_PATH_OUTSIDE_WORKDIR"));
        }
        assertThat(fleet.sends.instances()).isEmpty();
    }

    @Test
    void aLinkThatWasPutThereLaterIsNotFollowed() throws IOException {
        String cwd = fleet.callOf("planner", "i").spawn("coder", "a", "src").cwd();
        fleet.announced("coder", "i/a", PLANNER, cwd);
        Files.createSymbolicLink(workdir.resolve("src"), root);

        assertThatThrownBy(() -> workspace.folder("coder", "i/a")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("symbolic link");
    }

    @Test
    void aRecordThatLeadsOutsideIsRefused() {
        fleet.announced("coder", "i/a", PLANNER, "../elsewhere").announced("coder", "i/b", PLANNER, ".");

        assertThatThrownBy(() -> workspace.folder("coder", "i/a")).hasMessageContaining("outside the workspace");
        assertThatThrownBy(() -> workspace.folder("coder", "i/b")).hasMessageContaining("outside the workspace");
    }

    @Test
    void onlyWhatMayBeSpawnedIsAskedForAndOnce() {
        workspace.folder("coder", "i");
        assertThat(catchUps).hasValue(0);

        workspace.folder("coder", "i/unknown");
        workspace.folder("coder", "i/unknown");
        assertThat(catchUps).hasValue(1);
    }
}
