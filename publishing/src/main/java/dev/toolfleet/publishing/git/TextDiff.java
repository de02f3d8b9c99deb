package dev.toolfleet.publishing.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.jspecify.annotations.Nullable;

/// Differences of files as the text that `diff -u` prints. What is no text is named by its content's id.
final class TextDiff {
    private static final byte[] NOTHING = {};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// Adds a file.
    ///
    /// @param before null for a new file
    /// @param after null for a removed one
    void add(String path, @Nullable GitFile before, byte @Nullable [] old, @Nullable GitFile after,
            byte @Nullable [] now) throws IOException {
        line("--- " + (before == null ? "/dev/null" : "a/" + path + " " + before.type()));
        line("+++ " + (after == null ? "/dev/null" : "b/" + path + " " + after.type()));
        byte[] from = old == null ? NOTHING : old;
        byte[] to = now == null ? NOTHING : now;
        if (RawText.isBinary(from) || RawText.isBinary(to)) {
            line("binary, " + (after == null ? "removed" : "now " + after.id().name()));
            return;
        }
        RawText one = new RawText(from);
        RawText other = new RawText(to);
        EditList edits = new HistogramDiff().diff(RawTextComparator.DEFAULT, one, other);
        try (DiffFormatter formatter = new DiffFormatter(out)) {
            formatter.format(edits, one, other);
        }
    }

    private void line(String text) {
        out.writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    byte[] text() {
        return out.toByteArray();
    }
}
