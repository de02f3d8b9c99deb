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

/// The files of a folder that are read, in their order: resources in YAML, and of the folder of a skill its `SKILL.md`
/// alone. Links to folders are not followed, so a loop of links cannot hang it; but a skill may be a link to another
/// place of the bundle.
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
        return RESOURCE_FILE.matcher(base).matches() || SkillText.isFile(file);
    }

    static List<Path> files(Path folder, List<BundleProblem> problems) {
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
                skip(dir, "because it lies in a folder '" + name
                        + "', which is taken for sources or the output of a build.");
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (isSkill(dir)) {
                addSkill(dir);
                skip(dir, "because it lies in the folder of a skill, of which " + SkillText.FILE + " is read.");
                return FileVisitResult.SKIP_SUBTREE;
            }
            return SKIPPED_FOLDERS.contains(name) || name.startsWith(".")
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        private static boolean isSkill(Path dir, Path file) {
            return file.equals(dir.resolve(SkillText.FILE));
        }

        private static boolean isSkill(Path dir) {
            Path parent = dir.getParent();
            return parent != null && parent.endsWith(SkillText.FOLDER) && Files.exists(dir.resolve(SkillText.FILE));
        }

        /// Adds a skill unless a link leads out of the bundle. Otherwise: applying a bundle of others publishes any
        /// file of the machine.
        private void addSkill(Path dir) {
            Path file = dir.resolve(SkillText.FILE);
            try {
                Path real = file.toRealPath();
                if (real.startsWith(folder.toRealPath()))
                    files.add(file);
                else
                    problems.add(BundleProblem.error(ProblemCode.E_CONFIG_FILE_UNREADABLE,
                            "The skill is a link out of the bundle, to " + real + ".",
                            SourcePosition.ofFile(folder.relativize(file).toString()),
                            "Copy the skill into the bundle."));
            } catch (IOException e) {
                problems.add(unreadable(folder, file, e));
            }
        }

        private void skip(Path dir, String why) {
            try (Stream<Path> inside = Files.walk(dir, DEEPEST)) {
                inside.filter(file -> namedLikeResources(file.toString()) && !Files.isDirectory(file)
                        && !isSkill(dir, file)).sorted()
                        .limit(MOST_NAMED)
                        .forEach(file -> problems.add(BundleProblem.notice(ProblemCode.E_CONFIG_FILE_SKIPPED,
                                "Not read, " + why,
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
            if (attributes.isSymbolicLink() && Files.isDirectory(file) && isSkill(file))
                addSkill(file);
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
