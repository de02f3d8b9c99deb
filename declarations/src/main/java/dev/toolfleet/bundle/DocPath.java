package dev.toolfleet.bundle;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// A place inside one document, written `spec.exports[0].name`. A key that would read ambiguously is quoted:
/// `metadata.labels["app.io/x"]`.
public final class DocPath {
    /// The document itself; its text is empty.
    public static final DocPath ROOT = new DocPath(null, "");

    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_$@-]+");

    private final @Nullable DocPath parent;
    private final String text;

    private DocPath(@Nullable DocPath parent, String text) {
        this.parent = parent;
        this.text = text;
    }

    /// Returns the path of a value in the mapping at this path.
    public DocPath key(String key) {
        if (PLAIN_KEY.matcher(key).matches()) {
            return new DocPath(this, text.isEmpty() ? key : text + "." + key);
        }
        return new DocPath(this, text + "[\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]");
    }

    /// Returns the path of an item in the list at this path, counted from 0.
    public DocPath index(int index) {
        return new DocPath(this, text + "[" + index + "]");
    }

    /// Returns the enclosing path; null for the document itself.
    public @Nullable DocPath parent() {
        return parent;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DocPath path && path.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// The text form.
    @Override
    public String toString() {
        return text;
    }
}
