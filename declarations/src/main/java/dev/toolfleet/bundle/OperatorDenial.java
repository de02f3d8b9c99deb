package dev.toolfleet.bundle;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Temporary denial of tools by an operator, for every caller and every bundle, by names or by code. It is on
/// `tool.resource` under [#BUNDLE], a name that no bundle may have, so that no apply changes it.
///
/// A field that a later version adds may only narrow it. A reader that does not know the field ignores it, and denies
/// more.
///
/// @param tools the denied names; all of them when `entry` selects
/// @param entry the denied code; null when names select. Earlier versions ignore it, and deny every tool
/// @param reason for people and for the model of a rejected call
/// @param by the operator
/// @param since the time of the order
/// @param until the time at which it ends by itself, by the clock of the reader
public record OperatorDenial(Glob tools, @Nullable EntryPattern entry, String reason, String by, Instant since,
        Instant until) {
    /// The kind of its resource, which no bundle can have.
    public static final String KIND = "OperatorDenial";
    /// Replaces a bundle's name.
    public static final String BUNDLE = "@toolfleet/operator";

    /// Checks that it ends after it begins.
    ///
    /// @throws IllegalArgumentException when it ends before it begins
    public OperatorDenial {
        requireNonNull(tools, "tools");
        requireNonNull(reason, "reason");
        requireNonNull(by, "by");
        if (!since.isBefore(until))
            throw new IllegalArgumentException("a denial has to end after it begins: from " + since + " until "
                    + until);
    }

    /// Reads a resource.
    ///
    /// @throws InvalidResourceException when it is no OperatorDenial or cannot be read
    public static OperatorDenial of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, KIND);
        String pattern = spec.get("tool").text();
        Optional<String> entry = spec.get("entry").optionalText();
        if (entry.flatMap(EntryPattern::problem).isPresent())
            throw spec.get("entry").wrong(EntryPattern.FORM);
        if (Glob.problem(pattern).isPresent())
            throw spec.get("tool").wrong("a pattern for the names of tools");
        try {
            return new OperatorDenial(Glob.of(pattern), entry.map(EntryPattern::of).orElse(null),
                    spec.get("reason").text(""), spec.get("by").text(""),
                    instant(spec.get("since")), instant(spec.get("until")));
        } catch (IllegalArgumentException e) {
            throw new InvalidResourceException(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the rule name of a denial, for decisions and audit events.
    ///
    /// @param name the pattern
    public static String rule(String name) {
        return BUNDLE + "/deny/" + name;
    }

    /// Returns its resource's name: there is one denial for each pattern.
    public String name() {
        return entry == null ? tools.toString() : entry.toString();
    }

    /// Makes the denial for an operator's pattern: by the code of tools when the text is an entry, else by their names.
    ///
    /// @throws IllegalArgumentException when the text is neither; see [Glob#problem] and [EntryPattern#problem]
    public static OperatorDenial of(String pattern, String reason, String by, Instant since, Instant until) {
        return EntryPattern.looksLikeOne(pattern)
                ? new OperatorDenial(Glob.ANY, EntryPattern.of(pattern), reason, by, since, until)
                : new OperatorDenial(Glob.of(pattern), null, reason, by, since, until);
    }

    /// Returns the selector of its tools.
    public RuleSelector selector() {
        return entry == null ? RuleSelector.ofTools(tools) : RuleSelector.ofEntry(entry);
    }

    /// True if it denies the tool of that name and that code.
    public boolean hits(String name, @Nullable String code) {
        return tools.matches(name) && selector().fitsEntry(code);
    }

    /// True if it has not ended.
    public boolean isLive(Instant now) {
        return now.isBefore(until);
    }

    /// The resource.
    public ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("apiVersion", Kinds.TOOLFLEET_V1).put("kind", KIND);
        json.putObject("metadata").put("name", name());
        ObjectNode spec = json.putObject("spec").put("tool", tools.toString()).put("reason", reason).put("by", by)
                .put("since", since.toString()).put("until", until.toString());
        if (entry != null)
            spec.put("entry", entry.toString());
        return json;
    }

    private static Instant instant(ResourceJson json) {
        try {
            return Instant.parse(json.text());
        } catch (DateTimeParseException e) {
            throw json.wrong("an instant such as 2026-11-21T20:00:00Z");
        }
    }
}
