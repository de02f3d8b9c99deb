package dev.toolfleet.cli.init;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import dev.toolfleet.cli.terminal.Failure;

/// Writes a bundle with one handler and its test. The files are the resources of a [BundleLanguage], with `@name@`,
/// `@entry@`, `@version@` and `@junit@` filled in; existing files are never overwritten.
public final class NewBundle {
    private NewBundle() {}

    /// Creates the bundle.
    ///
    /// @return the paths of the new files, relative to `folder`
    /// @throws Failure when a file is there already or cannot be written
    public static List<Path> create(Path folder, BundleLanguage language) {
        Map<String, String> files = language.files();
        Map<String, String> values = values(name(folder), language);
        for (String file : files.keySet()) {
            if (Files.exists(folder.resolve(file)))
                throw Failure.invalid(folder.resolve(file) + " is there already; choose an empty folder");
        }
        List<Path> written = new ArrayList<>();
        try {
            for (var file : files.entrySet()) {
                Path target = folder.resolve(file.getKey());
                Files.createDirectories(target.toAbsolutePath().getParent());
                Files.writeString(target, fill(read(file.getValue()), values));
                written.add(folder.relativize(target));
            }
        } catch (IOException e) {
            throw Failure.failed("the folder " + folder + " cannot be written: " + e.getMessage(), e);
        }
        return written;
    }

    /// The bundle's name, from the folder's: lower case letters, digits and hyphens, beginning with a letter.
    static String name(Path folder) {
        String last = folder.toAbsolutePath().normalize().getFileName() == null
                ? ""
                : folder.toAbsolutePath().normalize().getFileName().toString();
        String name = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^[^a-z]+|-+$", "");
        return name.isEmpty() ? "my-tools" : name;
    }

    private static Map<String, String> values(String name, BundleLanguage language) {
        try {
            Properties versions = new Properties();
            versions.load(new java.io.StringReader(read("/templates/versions.properties")));
            return Map.of("@name@", name, "@entry@\n", language.entry().replace("@name@", name), "@version@",
                    versions.getProperty("version"), "@junit@", versions.getProperty("junit"));
        } catch (IOException e) {
            throw new IllegalStateException("a template of the executable jar cannot be read", e);
        }
    }

    private static String fill(String text, Map<String, String> values) {
        String filled = text;
        for (var value : values.entrySet())
            filled = filled.replace(value.getKey(), value.getValue());
        return filled;
    }

    private static String read(String template) throws IOException {
        try (InputStream in = NewBundle.class.getResourceAsStream(template)) {
            if (in == null)
                throw new IllegalStateException("the executable jar has no " + template);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
