package dev.toolfleet.bundle.yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.SourcePosition;

/// The files of a folder that are read, in their order. Links to folders are not followed, so a loop of links cannot
/// hang it.
final class BundleFolder {
    private static final Set<String> SKIPPED_FOLDERS = Set.of("dist", "node_modules", ".git");
    /// Folders of sources and build outputs. They are skipped too, but a resource file in them is reported.
    private static final Set<String> BUILD_FOLDERS = Set.of("target", "src");
    private static final int DEEPEST = 8;
    private static final int MOST_NAMED = 20;
    private static final List<String> MAIN_FILES = List.of("goondan.yaml", "goondan.yml", "toolfleet.yaml",
            "toolfleet.yml");
    private static final Pattern RESOURCE_FILE = Pattern
            .compile("(goondan|toolfleet|models?|agents?|tools?|extensions?|connectors?|connections?|swarms?"
                    + "|resources|polic(y|ies)|groups?)\\.ya?ml");

    private BundleFolder() {}

    static boolean namedLikeResources(String file) {
        String base = file.substring(file.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return RESOURCE_FILE.matcher(base).matches();
    }

    static List<Path> yamlFiles(Path folder, List<BundleProblem> problems) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(folder, new Walk(folder, files, problems));
        } catch (IOException e) {
            problems.add(unreadable(folder, folder, e));
        }
        files.sort(Comparator.<Path>comparingInt(file -> rank(folder, file))
                .thenComparing(file -> folder.relativize(file).toString()));
        return files;
    }

    private static int rank(Path folder, Path file) {
        int main = MAIN_FILES.indexOf(folder.relativize(file).toString());
        return main < 0 ? MAIN_FILES.size() : main;
    }

    private static BundleProblem unreadable(Path folder, Path path, IOException e) {
        return BundleProblem.error(ProblemCode.E_CONFIG_FILE_UNREADABLE, "Cannot read " + path + ": " + e,
                SourcePosition.ofFile(folder.relativize(path).toString()), "Check its permissions.");
    }

    private static final class Walk extends SimpleFileVisitor<Path> {
        private final Path folder;
        private final List<Path> files;
        private final List<BundleProblem> problems;

        Walk(Path folder, List<Path> files, List<BundleProblem> problems) {
            this.folder = folder;
            this.files = files;
            this.problems = problems;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            if (dir.equals(folder)) {
                return FileVisitResult.CONTINUE;
            }
            String name = String.valueOf(dir.getFileName());
            if (BUILD_FOLDERS.contains(name)) {
                skip(dir);
                return FileVisitResult.SKIP_SUBTREE;
            }
            return SKIPPED_FOLDERS.contains(name) || name.startsWith(".")
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        private void skip(Path dir) {
            try (Stream<Path> inside = Files.walk(dir, DEEPEST)) {
                inside.filter(file -> namedLikeResources(file.toString()) && !Files.isDirectory(file)).sorted()
                        .limit(MOST_NAMED)
                        .forEach(file -> problems.add(BundleProblem.notice(ProblemCode.E_CONFIG_FILE_SKIPPED,
                                "Not read, because it lies in a folder '" + dir.getFileName()
                                        + "', which is taken for sources or the output of a build.",
                                SourcePosition.ofFile(folder.relativize(file).toString()),
                                "If it holds resources, move it to another folder of the bundle.")));
            } catch (IOException | UncheckedIOException e) {
                // None of it is read in any case.
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
            boolean yaml = name.endsWith(".yaml") || name.endsWith(".yml");
            if (yaml && !name.startsWith(".") && !Files.isDirectory(file)) {
                files.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            problems.add(unreadable(folder, file, e));
            return FileVisitResult.CONTINUE;
        }
    }
}
