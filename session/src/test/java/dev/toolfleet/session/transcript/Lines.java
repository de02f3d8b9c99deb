package dev.toolfleet.session.transcript;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/// Short texts for entries, for tests. `user TEXT`, `system TEXT`, `assistant TEXT`, `calls ID ID…`,
/// `result ID TEXT`; `@id=NAME` in front gives an id, a trailing `!` on `calls` an unfinished entry.
public final class Lines {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Lines() {}

    /// Reads one entry per line; each is a second later than the one before.
    public static List<Entry> entries(String text) {
        List<Entry> entries = new ArrayList<>();
        for (String line : text.strip().lines().toList())
            entries.add(entry(line.strip(), START.plusSeconds(entries.size())));
        return entries;
    }

    /// Writes entries in the same form, without ids; synthetic ones begin with `+`.
    public static String text(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries)
            text.append(entry.isSynthetic() ? "+" : "").append(line(entry).strip()).append('\n');
        return text.toString();
    }

    /// Reads one entry.
    public static Entry entry(String line, Instant at) {
        String id = line.startsWith("@id=") ? line.substring(4, line.indexOf(' ')) : null;
        String[] words = (id == null ? line : line.substring(line.indexOf(' ') + 1)).split(" ", 2);
        String rest = words.length == 2 ? words[1] : "";
        return switch (words[0]) {
            case "calls", "calls!" -> {
                Entry calling = Entry.calling(id, "", at, calls(rest));
                yield words[0].equals("calls")
                        ? calling
                        : calling.withMetadata(Entry.STOP_REASON, StringNode.valueOf("aborted"));
            }
            case "result" -> {
                String[] parts = rest.split(" ", 2);
                yield Entry.result(id, parts[0], "tool", StringNode.valueOf(parts.length == 2 ? parts[1] : ""), at);
            }
            case "stray" ->
                new Entry(id, Role.TOOL, StringNode.valueOf(rest), at, List.of(), null, "tool",
                        JsonNodeFactory.instance.objectNode());
            default -> Entry.text(id, Role.of(words[0]).orElseThrow(), rest, at);
        };
    }

    private static List<Call> calls(String ids) {
        List<Call> calls = new ArrayList<>();
        for (String id : ids.split(" ", -1))
            calls.add(new Call(id, "tool", JsonNodeFactory.instance.objectNode()));
        return calls;
    }

    private static String line(Entry entry) {
        String content = entry.content().asString("");
        if (entry.role() == Role.TOOL)
            return "result " + entry.toolCallId() + " " + content;
        if (!entry.calls().isEmpty())
            return "calls " + String.join(" ", entry.calls().stream().map(Call::id).toList());
        return entry.role().wireName() + " " + content;
    }
}
