package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.cli.bundle.BundleCheck;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.cli.terminal.Failure;

/// A bundle with one agent over the built-in tools, for a fleet that was given none.
public final class DemoBundle {
    private static final String YAML = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata:
              name: "@toolfleet/demo"
            spec:
              version: 0.1.0
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata:
              name: coder
            spec:
              tools:
                - ref: {kind: Tool, name: bash, package: "@toolfleet/base"}
                - ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}
            """;

    private DemoBundle() {}

    /// Writes it into a folder and reads it.
    public static LocalBundle in(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("toolfleet.yaml"), YAML);
        } catch (IOException e) {
            throw Failure.failed("the folder " + folder + " cannot be written: " + e.getMessage(), e);
        }
        return LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
    }
}
