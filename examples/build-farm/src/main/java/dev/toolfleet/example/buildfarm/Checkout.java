package dev.toolfleet.example.buildfarm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.toolfleet.tool.ToolException;

/// Copies the sources of the example's project from this class's jar. A branch has the files of `main`, except for its
/// own files.
final class Checkout {
    private static final List<String> FILES = List.of("src/Greeter.java", "src/Languages.java",
            "test/GreeterTest.java");

    private Checkout() {}

    /// Puts the sources of a branch into a folder.
    ///
    /// @return the folder
    static Path of(String branch, Path folder) throws IOException {
        for (String file : FILES) {
            String own = "project/" + branch + "/" + file;
            file(exists(own) ? own : "project/main/" + file, folder.resolve(file));
        }
        return folder;
    }

    /// Copies one file of the jar.
    ///
    /// @return the copy
    static Path file(String name, Path target) throws IOException {
        try (InputStream in = Checkout.class.getResourceAsStream("/build-farm/" + name)) {
            if (in == null)
                throw new ToolException("E_NO_SOURCES", "This farm has no file '" + name + "'.");
            Files.createDirectories(target.resolveSibling("."));
            Files.copy(in, target);
            return target;
        }
    }

    private static boolean exists(String name) {
        return Checkout.class.getResource("/build-farm/" + name) != null;
    }
}
