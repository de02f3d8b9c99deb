package dev.toolfleet.worker.tools.args;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeldFolderIT {
    private static final Set<? extends java.nio.file.OpenOption> READ = Set.of(StandardOpenOption.READ,
            LinkOption.NOFOLLOW_LINKS);

    @TempDir
    Path temp;
    private Path root = Path.of(".");
    private Path outside = Path.of(".");

    @BeforeEach
    void folders() throws IOException {
        root = Files.createDirectories(temp.toRealPath().resolve("root"));
        outside = Files.createDirectories(temp.toRealPath().resolve("outside"));
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/file"), "inside");
        Files.writeString(outside.resolve("file"), "outside");
    }

    @Test
    void aFolderThatIsHeldStaysTheSameWhenALinkTakesItsPlace() throws IOException {
        try (HeldFolder held = HeldFolder.within(root, root.resolve("a/b"))) {
            Files.move(root.resolve("a/b"), root.resolve("a/moved"));
            Files.createSymbolicLink(root.resolve("a/b"), outside);

            assertThat(text(held)).isEqualTo("inside");
            assertThat(held.names(10)).containsExactly(Path.of("file"));
            assertThat(held.attributes(Path.of("file")).size()).isEqualTo(6);
        }
        assertThat(root.resolve("a/b/file")).hasContent("outside");
    }

    @Test
    void noStepFollowsALink() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("a/up"), Path.of("../../outside"));
        Files.createSymbolicLink(root.resolve("a/b/leaf"), outside.resolve("file"));

        assertThatThrownBy(() -> HeldFolder.within(root, root.resolve("link")).close()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> HeldFolder.within(root, root.resolve("a/up")).close()).isInstanceOf(IOException.class);
        try (HeldFolder held = HeldFolder.within(root, root.resolve("a/b"))) {
            assertThatThrownBy(() -> held.open(Path.of("leaf"), READ)).isInstanceOf(IOException.class);
            assertThat(held.attributes(Path.of("leaf")).isSymbolicLink()).isTrue();
        }
    }

    @Test
    void theRootItselfCanBeHeldAndLongListsStopOneBeyondTheBound() throws IOException {
        for (int i = 0; i < 5; i++)
            Files.writeString(root.resolve("f" + i), "");
        try (HeldFolder held = HeldFolder.within(root, root)) {
            assertThat(held.names(3)).hasSize(4);
        }
    }

    @Test
    void linksHaveToBeRefusedOnOpening() throws IOException {
        try (HeldFolder held = HeldFolder.within(root, root.resolve("a/b"))) {
            assertThatThrownBy(() -> held.open(Path.of("file"), Set.of(StandardOpenOption.READ)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String text(HeldFolder held) throws IOException {
        try (SeekableByteChannel channel = held.open(Path.of("file"), READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(100);
            channel.read(bytes);
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        }
    }
}
