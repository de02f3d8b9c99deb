package dev.toolfleet.wire;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Label of an agent instance: a fact about the results that the instance has received. On `tool.journal` under
/// [#key()], written in the transaction of the result that adds the label, until a tombstone.
///
/// @param kind always [#KIND]
/// @param instanceKey the instance
/// @param count number of results of the instance that have added labels so far, this one included; an operator who
///        clears the label names the count that was seen, so that a result that comes meanwhile keeps it
/// @param since count of the result that added it first, or first after an operator had cleared it; part of the key, so
///        that no order of two results can let the end of the cleared entry delete the newer one
/// @param added the label, and the call whose result added it last
/// @param clearedAt the time at which its clearing was noted; such an entry counts no more, and keeps the count of the
///        instance until no order can hold that names it; null for a label that counts
public record InstanceLabel(String kind, String instanceKey, long count, long since, AddedLabel added,
        @Nullable Instant clearedAt)
        implements
            JournalEntry {
    /// Value of `kind`.
    public static final String KIND = "label";
    /// The instance has received text that anybody may have written.
    public static final String UNTRUSTED = "untrusted";
    /// The instance has received sensitive data.
    public static final String SENSITIVE = "sensitive";
    /// The form of a label's name, for messages.
    public static final String FORM = "a name of small letters, digits and hyphens, at most 40";

    private static final String UNREAD = "unread";
    private static final String PREFIX = "@label/";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

    /// Checks that all parts are present.
    public InstanceLabel {
        requireNonNull(kind, "kind");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(added, "added");
        if (count < 0 || since < 0)
            throw new IllegalArgumentException("count and since must not be negative, got " + count + " and " + since);
    }

    /// Makes a label.
    public InstanceLabel(String instanceKey, long count, long since, AddedLabel added) {
        this(KIND, instanceKey, count, since, added, null);
    }

    /// Returns the same label as one that counts no more.
    public InstanceLabel clearedAt(Instant at) {
        return new InstanceLabel(kind, instanceKey, count, since, added, at);
    }

    /// True if it counts, as far as its entry shows.
    public boolean counts() {
        return clearedAt == null;
    }

    /// True if a text may be the name of a label.
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /// Returns the instance that a key of the journal names; empty for any other key.
    public static Optional<String> instanceOf(String key) {
        int end = endOfTerm(key);
        return end < 0 ? Optional.empty() : Optional.of(key.substring(end + 1));
    }

    /// Returns the [#term()] that a key with an instance names.
    public static String termOf(String key) {
        return key.substring(PREFIX.length(), endOfTerm(key));
    }

    /// Returns the label of a term.
    public static String labelOf(String term) {
        return term.substring(0, term.lastIndexOf('/'));
    }

    /// Returns the label that a key names, for an entry that cannot be read; empty for a key of another entry.
    public static Optional<InstanceLabel> unreadOf(String key) {
        return instanceOf(key).map(instance -> {
            String term = termOf(key);
            long since = Long.parseLong(term.substring(term.lastIndexOf('/') + 1));
            return new InstanceLabel(instance, since, since,
                    new AddedLabel(labelOf(term), UNREAD, UNREAD, 0, instance));
        });
    }

    /// Returns the place of the slash in front of the instance; -1 for a key of another entry.
    private static int endOfTerm(String key) {
        int label = key.startsWith(PREFIX) ? key.indexOf('/', PREFIX.length()) : -1;
        return label < 0 ? -1 : key.indexOf('/', label + 1);
    }

    /// Returns the reserved key of an instance's label. No call's identity equals it: those are JSON arrays.
    public static String key(String instanceKey, String term) {
        return PREFIX + term + "/" + instanceKey;
    }

    /// Returns what distinguishes this entry from others of the instance: `LABEL/SINCE`.
    public String term() {
        return added.label() + "/" + since;
    }

    @Override
    public String key() {
        return key(instanceKey, term());
    }
}
