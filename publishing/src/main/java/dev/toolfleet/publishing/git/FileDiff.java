package dev.toolfleet.publishing.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.jspecify.annotations.Nullable;

/// Differences of files for people. The text begins with the path and the content's id of each file that differs, so
/// equal texts stand for equal changes.
public final class FileDiff {
    private final byte[] text;
    private final SequencedMap<String, byte[]> binaries;

    private FileDiff(byte[] text, SequencedMap<String, byte[]> binaries) {
        this.text = text;
        this.binaries = binaries;
    }

    /// The differences as `diff -u` prints them.
    public byte[] text() {
        return text.clone();
    }

    /// Returns the new contents that are no text, by their paths.
    public SequencedMap<String, byte[]> binaries() {
        return Collections.unmodifiableSequencedMap(binaries);
    }

    /// Writer of differences.
    static final class Writer {
        /// Longer files are shown as removed and added: a comparison takes time in the square of their lines.
        private static final int MOST_LINES = 2_000;
        private static final byte[] NOTHING = {};

        private final StringBuilder ids = new StringBuilder();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final SequencedMap<String, byte[]> binaries = new LinkedHashMap<>();

        /// Adds a file.
        ///
        /// @param before null for a new file
        /// @param after null for a removed one
        void add(String path, @Nullable GitFile before, byte @Nullable [] old, @Nullable GitFile after,
                byte @Nullable [] now) throws IOException {
            ids.append(path).append(' ').append(id(before)).append(" -> ").append(id(after)).append('\n');
            byte[] from = old == null ? NOTHING : old;
            byte[] to = now == null ? NOTHING : now;
            line("--- " + (before == null ? "/dev/null" : "a/" + path));
            line("+++ " + (after == null ? "/dev/null" : "b/" + path));
            if (isBinary(from) || isBinary(to)) {
                line("no text");
                if (now != null)
                    binaries.put(path, now);
                return;
            }
            RawText one = new RawText(from);
            RawText other = new RawText(to);
            try (DiffFormatter formatter = new DiffFormatter(out)) {
                formatter.format(edits(one, other), one, other);
            }
        }

        private static EditList edits(RawText one, RawText other) {
            if (one.size() <= MOST_LINES && other.size() <= MOST_LINES)
                return new HistogramDiff().diff(RawTextComparator.DEFAULT, one, other);
            EditList all = new EditList();
            all.add(new Edit(0, one.size(), 0, other.size()));
            return all;
        }

        /// Also a text with one NUL far behind is none for a person.
        private static boolean isBinary(byte[] content) {
            for (byte each : content) {
                if (each == 0)
                    return true;
            }
            return false;
        }

        private static String id(@Nullable GitFile file) {
            return file == null ? "none" : file.type() + " " + file.id().name();
        }

        private void line(String text) {
            out.writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
        }

        FileDiff finish() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(ids.toString().getBytes(StandardCharsets.UTF_8));
            all.writeBytes(out.toByteArray());
            return new FileDiff(all.toByteArray(), binaries);
        }
    }
}
