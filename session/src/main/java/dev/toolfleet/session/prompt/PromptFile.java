package dev.toolfleet.session.prompt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.json.Digests;
import org.jspecify.annotations.Nullable;

/// Text file with an optional head of `key: value` lines between two lines `---`.
///
/// @param path the file
/// @param head the head's values; the first colon of a line separates
/// @param body the text behind the head, or the whole file, unchanged
/// @param version the digest of the file's text
public record PromptFile(Path path, Map<String, String> head, String body, String version) {
    private static final String FENCE = "---";

    /// Freezes the map.
    public PromptFile {
        head = Map.copyOf(head);
    }

    /// Reads a file.
    ///
    /// @throws IOException when the file cannot be read, or its head is not well-formed
    public static PromptFile read(Path path) throws IOException {
        String text = Files.readString(path);
        String version = Digests.sha256(text);
        if (!text.startsWith(FENCE + "\n"))
            return new PromptFile(path, Map.of(), text, version);
        int end = text.indexOf("\n" + FENCE + "\n", FENCE.length());
        boolean endsWithHead = end < 0 && text.endsWith("\n" + FENCE);
        if (end < 0 && !endsWithHead)
            throw new IOException(path + ": the head has no end; close it with a line '---'");
        int headEnd = endsWithHead ? text.length() - FENCE.length() - 1 : end;
        String head = text.substring(FENCE.length() + 1, Math.max(FENCE.length() + 1, headEnd + 1));
        String body = endsWithHead ? "" : text.substring(end + FENCE.length() + 2);
        return new PromptFile(path, head(path, head), body, version);
    }

    /// Reads the file anew.
    ///
    /// @return the new version, or this one with the reason when the file cannot be used
    public Reload reload() {
        try {
            PromptFile now = read(path);
            return new Reload(now.version.equals(version) ? this : now, null);
        } catch (IOException e) {
            return new Reload(this, String.valueOf(e.getMessage()));
        }
    }

    /// Returns a value of the head.
    ///
    /// @param caller the reader, for the error
    /// @throws IllegalArgumentException when the head does not have it, naming key, file and caller
    public String required(String key, String caller) {
        String value = head.get(key);
        if (value == null)
            throw new IllegalArgumentException(caller + ": " + path + " has no '" + key + "' in its head");
        return value;
    }

    private static Map<String, String> head(Path path, String text) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            if (line.isBlank() || line.stripLeading().startsWith("#"))
                continue;
            int colon = line.indexOf(':');
            if (colon <= 0)
                throw new IOException(path + ": line '" + line + "' of the head is no 'key: value'");
            values.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return values;
    }

    /// Outcome of reading a file anew.
    ///
    /// @param file the file to use from now on
    /// @param error the reason for keeping the old one, if it was kept for a fault
    public record Reload(PromptFile file, @Nullable String error) {}
}
