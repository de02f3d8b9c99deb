package dev.toolfleet.worker.execute;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// Makes and removes folders that belong to this process' user alone.
final class OwnFolders {
    private static final Set<PosixFilePermission> MINE = PosixFilePermissions.fromString("rwx------");
    private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private OwnFolders() {}

    /// Returns the attributes of a folder that no other user may read, whatever the umask.
    static FileAttribute<?>[] onlyMine() {
        return POSIX
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(MINE)}
                : new FileAttribute<?>[0];
    }

    /// Removes a folder with its contents. Links are removed and not followed. Folders that may not be read or changed
    /// are opened first, because a command may have closed them.
    static void remove(Path folder) throws IOException {
        Files.walkFileTree(folder, new Remover());
    }

    private static final class Remover extends SimpleFileVisitor<Path> {
        private final Set<Path> opened = new HashSet<>();

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            open(folder);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            boolean closed = e instanceof AccessDeniedException && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
            if (!closed || !opened.add(file))
                throw e;
            open(file);
            Files.walkFileTree(file, this);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
            if (e != null)
                throw e;
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }

        private static void open(Path folder) throws IOException {
            if (POSIX)
                Files.setPosixFilePermissions(folder, MINE);
        }
    }
}
