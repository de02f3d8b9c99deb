package dev.toolfleet.bundle;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/// Tools to which a rule applies. A tool must fit every field that is not empty, and one item of each.
///
/// @param tools patterns for full names
/// @param entries patterns for the code behind tools, whatever their names
/// @param groups in lower case
/// @param sources of the tools
/// @param flags of the exports
public record RuleSelector(List<Glob> tools, List<EntryPattern> entries, Set<String> groups, Set<RuleSource> sources,
        Set<ToolFlag> flags) {
    /// The fields of a rule that select.
    public static final Set<String> FIELDS = Set.of("tool", "entry", "group", "source", "flag");

    /// Copies the collections.
    public RuleSelector {
        tools = List.copyOf(tools);
        entries = List.copyOf(entries);
        groups = Set.copyOf(groups);
        sources = Set.copyOf(sources);
        flags = Set.copyOf(flags);
    }

    /// Selects tools by name alone.
    public static RuleSelector ofTools(Glob tools) {
        return new RuleSelector(List.of(tools), List.of(), Set.of(), Set.of(), Set.of());
    }

    /// Selects tools by a flag alone.
    public static RuleSelector ofFlag(ToolFlag flag) {
        return new RuleSelector(List.of(), List.of(), Set.of(), Set.of(), Set.of(flag));
    }

    /// Selects tools by their code alone.
    public static RuleSelector ofEntry(EntryPattern entry) {
        return new RuleSelector(List.of(), List.of(entry), Set.of(), Set.of(), Set.of());
    }

    static RuleSelector of(ResourceJson rule) {
        RuleSelector selector = read(rule);
        if (selector.isEmpty())
            throw rule.wrong(
                    "a rule that selects something: tool, entry, group, source or flag (tool: \"*\" is every tool)");
        return selector;
    }

    /// Reads a selector, also one without any field.
    static RuleSelector read(ResourceJson rule) {
        return new RuleSelector(
                rule.get("tool").texts(RuleSelector::glob, "a tool's name, in which * stands for anything"),
                rule.get("entry").texts(RuleSelector::entry, EntryPattern.FORM),
                Set.copyOf(rule.get("group").texts(group -> Optional.of(group(group)), "")),
                Set.copyOf(rule.get("source").texts(RuleSource::parse, String.join(", ", RuleSource.texts()))),
                Set.copyOf(rule.get("flag").texts(ToolFlag::parse, String.join(", ", ToolFlag.texts()))));
    }

    private boolean isEmpty() {
        return tools.isEmpty() && entries.isEmpty() && groups.isEmpty() && sources.isEmpty() && flags.isEmpty();
    }

    /// A group's name as rules compare it.
    public static String group(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }

    /// True if it selects by code, or by names other than all.
    public boolean namesTools() {
        return !entries.isEmpty() || (!tools.isEmpty() && !tools.contains(Glob.ANY));
    }

    /// True if one of its entries is the code of a tool, or if it has none.
    ///
    /// @param entry null when the code is not known: no entry fits it
    public boolean fitsEntry(@Nullable String entry) {
        if (entries.isEmpty())
            return true;
        for (EntryPattern pattern : entries) {
            if (entry != null && pattern.matches(entry))
                return true;
        }
        return false;
    }

    /// True if this selector selects every tool that the other one selects; false also when that is uncertain.
    public boolean covers(RuleSelector other) {
        boolean names = tools.isEmpty() || tools.contains(Glob.ANY) || (!other.tools.isEmpty()
                && other.tools.stream().allMatch(theirs -> tools.stream().anyMatch(ours -> ours.covers(theirs))));
        boolean code = entries.isEmpty() || (!other.entries.isEmpty() && other.entries.stream()
                .allMatch(theirs -> entries.stream().anyMatch(ours -> ours.covers(theirs))));
        boolean from = sources.isEmpty() || (!other.sources.isEmpty() && other.sources.stream()
                .allMatch(theirs -> sources.stream().anyMatch(ours -> ours.covers(theirs))));
        return names && code && from && coversSet(groups, other.groups) && coversSet(flags, other.flags);
    }

    /// Returns its specificity: larger when it leaves fewer tools over. Names count more than the number of fields.
    public int specificity() {
        int fields = (entries.isEmpty() ? 0 : 1) + (groups.isEmpty() ? 0 : 1) + (sources.isEmpty() ? 0 : 1)
                + (flags.isEmpty() ? 0 : 1);
        boolean exact = !tools.isEmpty() && tools.stream().allMatch(Glob::isExact);
        int literals = tools.stream().mapToInt(Glob::literals).min().orElse(0);
        return (exact ? 10_000 : 0) + fields * 1000 + literals;
    }

    /// Returns its canonical form: the fields as a rule writes them, in one order.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        add(text, "tool", tools.stream().map(Glob::toString).collect(Collectors.toSet()));
        add(text, "entry", entries.stream().map(EntryPattern::toString).collect(Collectors.toSet()));
        add(text, "group", groups);
        add(text, "source", sources.stream().map(RuleSource::text).collect(Collectors.toSet()));
        add(text, "flag", flags.stream().map(ToolFlag::text).collect(Collectors.toSet()));
        return text.toString();
    }

    static void add(StringBuilder text, String field, Set<String> values) {
        if (!values.isEmpty())
            text.append(text.isEmpty() ? "" : " ").append(field).append('=')
                    .append(String.join(",", new TreeSet<>(values)));
    }

    private static <T> boolean coversSet(Set<T> ours, Set<T> theirs) {
        return ours.isEmpty() || (!theirs.isEmpty() && ours.containsAll(theirs));
    }

    private static Optional<Glob> glob(String text) {
        return Glob.problem(text).isEmpty() ? Optional.of(Glob.of(text)) : Optional.empty();
    }

    private static Optional<EntryPattern> entry(String text) {
        return EntryPattern.problem(text).isEmpty() ? Optional.of(EntryPattern.of(text)) : Optional.empty();
    }
}
