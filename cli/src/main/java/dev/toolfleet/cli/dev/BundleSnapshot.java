package dev.toolfleet.cli.dev;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// State of a bundle's files at one moment: its YAML, its skills and the files that its code consists of. Two snapshots are equal
/// if no file changed.
///
/// @param files size and time of change by path
record BundleSnapshot(SortedMap<Path, String> files) {
    private static final Set<String> SKIPPED = Set.of("node_modules", "dist", ".git");

    /// The files now. What cannot be read counts as absent.
    ///
    /// @param code relative to the folder
    static BundleSnapshot of(Path folder, Set<String> code) {
        SortedMap<Path, String> files = new TreeMap<>();
        code.forEach(path -> add(folder.resolve(path), files));
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                    boolean skip = dir.getFileName() != null && SKIPPED.contains(dir.getFileName().toString());
                    return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
                    if (name.endsWith(".yaml") || name.endsWith(".yml") || name.equals("skill.md"))
                        add(file, files);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // A folder that vanishes while it is walked is looked at again in a moment.
        }
        return new BundleSnapshot(files);
    }

    private static void add(Path file, SortedMap<Path, String> files) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            files.put(file, attributes.size() + "@" + attributes.lastModifiedTime().toMillis());
        } catch (IOException e) {
            // Absent: a build may be about to write it.
        }
    }
}
