package dev.toolfleet.worker.execute;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkspaceTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;

    @ParameterizedTest
    @ValueSource(strings = {"../..", "/etc", "..", ".", "", "a/b\\c", "\0", "텔레그램:123", "😀", "CON", "-rf"})
    void everyKeyHasAFolderDirectlyUnderTheRoot(String key, @TempDir Path root) {
        Path folder = new Workspace(root, clock).folder(key);

        assertThat(folder).isDirectory();
        assertThat(folder.toAbsolutePath().normalize().getParent()).isEqualTo(root.toAbsolutePath().normalize());
    }

    @Test
    void aKeyOfTenThousandCharactersHasAShortName(@TempDir Path root) {
        assertThat(new Workspace(root, clock).folder("k".repeat(10_000)).getFileName().toString()).hasSizeLessThan(100);
    }

    @Test
    void keysThatLookAlikeHaveFoldersOfTheirOwn() {
        Set<String> names = new HashSet<>();
        for (String key : new String[]{"a:b", "a/b", "a_b", "A_B", "a b", "k".repeat(50), "k".repeat(51)})
            names.add(Workspace.name(key));
        assertThat(names).hasSize(7);
    }

    @Property(seed = "820", tries = 500)
    void namesAreSafeOnEveryFileSystem(@ForAll String key) {
        assertThat(Workspace.name(key)).matches("[A-Za-z0-9_-]{0,40}-[0-9a-f]{32}");
        assertThat(Workspace.name(key)).isEqualTo(Workspace.name(key));
    }

    @Test
    void theSameKeyKeepsItsFolder(@TempDir Path root) throws Exception {
        Files.writeString(new Workspace(root, clock).folder("i").resolve("f"), "x");

        assertThat(new Workspace(root, clock).folder("i").resolve("f")).hasContent("x");
    }

    @Test
    void idleFoldersGoAndForeignOnesStay(@TempDir Path root) throws Exception {
        Workspace workspace = new Workspace(root, clock);
        Path idle = workspace.folder("idle");
        Files.createDirectories(idle.resolve("deep/er"));
        Files.writeString(idle.resolve("deep/er/file"), "x");
        Path outside = Files.createDirectory(root.resolve("not-ours"));
        Files.writeString(outside.resolve("kept"), "x");
        Files.createSymbolicLink(idle.resolve("link"), outside);
        Path link = Files.createSymbolicLink(root.resolve("l-" + "0".repeat(32)), outside);
        Path file = Files.writeString(root.resolve("notes.txt"), "x");
        for (Path old : new Path[]{outside, file})
            Files.setLastModifiedTime(old, FileTime.from(now));
        workspace.folder("idle");
        now = now.plus(Duration.ofDays(7));
        Path used = workspace.folder("used");

        workspace.removeIdle(Duration.ofDays(7));
        assertThat(idle).as("used exactly so long ago").isDirectory();
        now = now.plusSeconds(1);
        workspace.removeIdle(Duration.ofDays(7));

        assertThat(idle).doesNotExist();
        assertThat(used).isDirectory();
        assertThat(outside.resolve("kept")).hasContent("x");
        assertThat(file).exists();
        assertThat(link).exists();
    }

    @Test
    void aFolderThatWasTouchedIntoTheFutureGoes(@TempDir Path root) throws Exception {
        Workspace workspace = new Workspace(root, clock);
        Path touched = workspace.folder("touched");
        Files.setLastModifiedTime(touched, FileTime.from(Instant.parse("2096-01-01T00:00:00Z")));
        now = now.plus(Duration.ofDays(8));

        workspace.removeIdle(Duration.ofDays(7));

        assertThat(touched).doesNotExist();
    }

    @Test
    void aFolderOfWhichNoUseIsKnownStaysForOneMoreRetention(@TempDir Path root) throws Exception {
        Workspace workspace = new Workspace(root, clock);
        Path old = Files.createDirectory(root.resolve(Workspace.name("of an older version")));
        Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));

        workspace.removeIdle(Duration.ofDays(7));
        assertThat(old).exists();
        now = now.plus(Duration.ofDays(8));
        workspace.removeIdle(Duration.ofDays(7));

        assertThat(old).doesNotExist();
    }

    @Test
    void whatIsKnownOfAFolderGoesWithIt(@TempDir Path root) throws Exception {
        Workspace workspace = new Workspace(root, clock);
        workspace.folder("a");
        Path kept = workspace.folder("b");
        now = now.plus(Duration.ofDays(8));
        workspace.folder("b");

        workspace.removeIdle(Duration.ofDays(7));

        assertThat(root.resolve(".last-use").toFile().list()).containsExactly(kept.getFileName().toString());
    }

    @Test
    void aFolderThatItsInstanceClosedGoes(@TempDir Path root) throws Exception {
        Path probe = Files.setPosixFilePermissions(Files.createDirectory(root.resolve("probe")), Set.of());
        Assumptions.assumeFalse(Files.isReadable(probe), "nothing is closed to this user");
        Workspace workspace = new Workspace(root, clock);
        Path folder = workspace.folder("closed");
        Path below = Files.createDirectories(folder.resolve("a/b"));
        Files.writeString(below.resolve("file"), "x");
        for (Path closed : new Path[]{below, below.getParent(), folder})
            Files.setPosixFilePermissions(closed, Set.of());
        now = now.plus(Duration.ofDays(8));

        workspace.removeIdle(Duration.ofDays(7));

        assertThat(folder).doesNotExist();
    }

    @Test
    void noOtherUserMayLookIntoAFolder(@TempDir Path temp) throws Exception {
        Path root = temp.resolve("new/workspace");
        Workspace workspace = new Workspace(root, clock, (agent, key) -> agent);
        Path below = workspace.folder(Workspace.name("i") + "/spawned/deep", "i");

        for (Path made : new Path[]{root, workspace.folder("x"), below, below.getParent(), root.resolve(".last-use")})
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made))).isEqualTo("rwx------");
    }

    @Test
    void aFolderThatCannotBeWalkedIsLeftAndTheOthersGo(@TempDir Path root) throws Exception {
        Workspace workspace = new Workspace(root, clock);
        Path healthy = workspace.folder("healthy");
        Path broken = workspace.folder("broken");
        new ProcessBuilder("/bin/sh", "-c", "i=0; n=" + "d".repeat(200)
                + "; while [ $i -lt 30 ]; do mkdir $n && cd $n || exit 1; i=$((i+1)); done")
                .directory(broken.toFile()).start().waitFor();
        Files.setLastModifiedTime(broken, FileTime.from(now));
        now = now.plus(Duration.ofDays(8));
        try {
            workspace.removeIdle(Duration.ofDays(7));

            assertThat(broken).isDirectory();
            assertThat(healthy).doesNotExist();
        } finally {
            new ProcessBuilder("rm", "-rf", broken.toString()).start().waitFor();
        }
    }

    @Test
    void aRootThatVanishedIsNoError(@TempDir Path folder) throws Exception {
        Path root = folder.resolve("root");
        Workspace workspace = new Workspace(root, clock);
        Files.delete(root);

        assertThatCode(() -> workspace.removeIdle(Duration.ofDays(7))).doesNotThrowAnyException();
    }

    @Test
    void aRootThatCannotBeMadeIsNamedWithItsSetting(@TempDir Path root) throws Exception {
        Path file = Files.writeString(root.resolve("file"), "x");

        assertThatThrownBy(() -> new Workspace(file.resolve("below"), clock)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("worker.workspace.root");
    }
}
