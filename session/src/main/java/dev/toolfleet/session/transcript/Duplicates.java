package dev.toolfleet.session.transcript;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Search for entries that stand twice in a transcript.
///
/// An id decides where there are ids: two equal texts are two entries. In a log without ids, an entry is a duplicate when
/// it equals an earlier one in every field, of users only its neighbour: people repeat themselves. Results without ids
/// are compared where they meet their calls, since equal results of two turns are two results.
final class Duplicates {
    private Duplicates() {}

    /// Returns which entries repeat an earlier one.
    static boolean[] of(List<Entry> entries) {
        boolean[] duplicate = new boolean[entries.size()];
        boolean withoutIds = entries.stream().allMatch(entry -> entry.id() == null);
        Set<Object> seen = new HashSet<>();
        Entry last = null;
        for (int i = 0; i < duplicate.length; i++) {
            Entry entry = entries.get(i);
            if (entry.id() != null)
                duplicate[i] = !seen.add(entry.id());
            else if (withoutIds && entry.role() == Role.USER)
                duplicate[i] = last != null && Fields.of(entry).equals(Fields.of(last));
            else if (withoutIds && entry.role() != Role.TOOL && !entry.isSynthetic())
                duplicate[i] = !seen.add(Fields.of(entry));
            if (!duplicate[i] && entry.role() != Role.TOOL)
                last = entry;
        }
        return duplicate;
    }

    /// Fields of an entry that decide about equality. A repair's marks are not among them.
    private record Fields(Role role, JsonNode content, Instant at, List<Call> calls, @Nullable String toolName) {
        static Fields of(Entry entry) {
            return new Fields(entry.role(), entry.content(), entry.at(), entry.calls(), entry.toolName());
        }
    }
}
