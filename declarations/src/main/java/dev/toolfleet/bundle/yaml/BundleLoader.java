package dev.toolfleet.bundle.yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.SourcePosition;

/// Reads a folder of YAML files and skills into a bundle. It never throws for the files' content: each unreadable part is a
/// problem, and reading goes on.
public final class BundleLoader {
    private static final long MAX_FILE_BYTES = 1L << 20;

    private BundleLoader() {}

    /// Reads every `*.yaml` and `*.yml` and each `skills/NAME/SKILL.md` under the folder, `goondan.yaml` and
    /// `toolfleet.yaml` first, then by path.
    public static LoadResult load(Path folder) {
        List<Resource> resources = new ArrayList<>();
        List<BundleProblem> problems = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_FILE_UNREADABLE, folder + " is not a folder.",
                    SourcePosition.UNKNOWN, "Name the folder that holds goondan.yaml or toolfleet.yaml."));
            return new LoadResult(new Bundle(folder, resources), problems);
        }
        for (Path file : BundleFolder.files(folder, problems)) {
            read(folder, file, resources, problems);
        }
        if (resources.isEmpty() && problems.stream().noneMatch(BundleLoader::isError)) {
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_EMPTY, "No resources in " + folder + ".",
                    SourcePosition.UNKNOWN, "A bundle is a folder with a goondan.yaml or toolfleet.yaml."));
        }
        return new LoadResult(new Bundle(folder, resources), List.copyOf(problems));
    }

    /// Reads texts by their relative path, in that order, like the folder's files; for content that does not come from
    /// a disk.
    public static LoadResult parse(Path folder, SequencedMap<String, String> texts) {
        List<Resource> resources = new ArrayList<>();
        List<BundleProblem> problems = new ArrayList<>();
        texts.forEach((name, text) -> {
            FileReading reading = new FileReading(name);
            reading.read(text.getBytes(StandardCharsets.UTF_8));
            resources.addAll(reading.resources());
            problems.addAll(reading.problems());
        });
        return new LoadResult(new Bundle(folder, resources), List.copyOf(problems));
    }

    private static void read(Path folder, Path file, List<Resource> resources, List<BundleProblem> problems) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        FileReading reading = new FileReading(name);
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                reading.tooLarge(Files.size(file), MAX_FILE_BYTES);
            } else {
                reading.read(Files.readAllBytes(file));
            }
        } catch (IOException | UncheckedIOException e) {
            reading.unreadable(e);
        }
        resources.addAll(reading.resources());
        problems.addAll(reading.problems());
    }

    private static boolean isError(BundleProblem problem) {
        return problem.severity() == Severity.ERROR;
    }

    /// Result of reading a folder: every readable resource, and a problem for each unreadable part.
    public record LoadResult(Bundle bundle, List<BundleProblem> problems) {}
}
