package dev.toolfleet.worker.tools.args;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeldFolderIT {
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
            assertThatThrownBy(() -> held.open(Path.of("leaf"), StandardOpenOption.READ, attributes -> {}))
                    .isInstanceOf(IOException.class);
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
    void aPipeThatTakesTheFilesPlaceAfterTheCheckIsNotOpened() throws Exception {
        Path file = root.resolve("a/b/file");
        Path pipe = root.resolve("a/b/pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        try (HeldFolder held = HeldFolder.within(root, root.resolve("a/b"));
                SeekableByteChannel channel = held.open(Path.of("file"), StandardOpenOption.READ,
                        attributes -> replace(file, pipe))) {
            assertThat(text(channel)).isEqualTo("inside");
        }
    }

    @Test
    void aFileThatIsMadeReplacesNothing() throws IOException {
        try (HeldFolder held = HeldFolder.within(root, root.resolve("a/b"))) {
            assertThatThrownBy(() -> held.create(Path.of("file"))).isInstanceOf(FileAlreadyExistsException.class);
            held.openOrCreate(Path.of("new"), attributes -> {}).close();
            assertThat(root.resolve("a/b/new")).isEmptyFile();
            held.openOrCreate(Path.of("file"), attributes -> {}).close();
            assertThat(text(held)).isEqualTo("inside");
        }
    }

    private static void replace(Path file, Path by) {
        try {
            Files.move(by, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(HeldFolder held) throws IOException {
        try (SeekableByteChannel channel = held.open(Path.of("file"), StandardOpenOption.READ, attributes -> {})) {
            return text(channel);
        }
    }

    private static String text(SeekableByteChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        channel.read(bytes);
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }
}
