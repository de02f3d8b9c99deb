package dev.toolfleet.bundle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `config` of the built-in extension `skills`, which workers and the catalog service read.
///
/// @param include the skills that the agent may use; empty for all, a list without items for none
/// @param exclude skills that it may not use, even if they are included
/// @param maxListCharacters the most characters of an answer of `skills__list`
/// @param modelTiers names of the models' classes, weakest first
/// @param modelTier the class of the agent's model, unless the step's hint `modelTier` names one; empty for unknown,
///        which hides nothing
/// @param priority of the layer around steps; ascending is outer
public record SkillsConfig(Optional<List<String>> include, List<String> exclude, int maxListCharacters,
        List<String> modelTiers, Optional<String> modelTier, int priority) {
    /// The name of the extension.
    public static final String EXTENSION = "skills";
    /// The full name of the tool that lists skills.
    public static final String LIST = "skills__list";
    /// The full name of the tool that opens one.
    public static final String OPEN = "skills__open";
    /// The hint of a step that names its model's class.
    public static final String TIER_HINT = "modelTier";

    private static final String PATH = "Extension/skills spec.config.";
    private static final List<String> TIERS = List.of("small", "medium", "large");
    private static final Set<String> KEYS = Set.of("include", "exclude", "maxListCharacters", "modelTiers",
            "modelTier", "priority");
    private static final int LIST_CHARACTERS = 8_000;
    private static final int LEAST_CHARACTERS = 200;

    /// Reads the configuration of one use of the extension.
    ///
    /// @throws IllegalArgumentException when it has an unknown key or a value of the wrong kind; the message names it
    public static SkillsConfig of(ObjectNode json) {
        for (String key : json.propertyNames())
            if (!KEYS.contains(key))
                throw wrong(key, "is not a setting; known are " + KEYS.stream().sorted().toList());
        List<String> tiers = texts(json, "modelTiers").orElse(TIERS);
        if (tiers.isEmpty() || new HashSet<>(tiers).size() < tiers.size())
            throw wrong("modelTiers", "must be a list of different names, weakest first, not " + tiers);
        JsonNode tier = json.path("modelTier");
        if (!tier.isMissingNode() && !(tier.isString() && tiers.contains(tier.stringValue())))
            throw wrong("modelTier", "must be one of " + tiers + ", not " + tier);
        return new SkillsConfig(texts(json, "include"), texts(json, "exclude").orElse(List.of()),
                whole(json, "maxListCharacters", LIST_CHARACTERS, LEAST_CHARACTERS), tiers, tier.asStringOpt(),
                whole(json, "priority", 0, Integer.MIN_VALUE));
    }

    /// True if the agent may use the skill.
    public boolean admits(String skill) {
        return include.map(names -> names.contains(skill)).orElse(true) && !exclude.contains(skill);
    }

    /// Returns the reason for which a model of a tier may not use what needs a minimum; empty for none.
    ///
    /// @param tier empty for unknown, which may use everything
    public Optional<String> tierProblem(Optional<String> minimum, Optional<String> tier) {
        if (minimum.isEmpty())
            return Optional.empty();
        if (!modelTiers.contains(minimum.get()))
            return Optional.of("its minimumTier '" + minimum.get() + "' is none of " + modelTiers);
        if (tier.isEmpty())
            return Optional.empty();
        if (!modelTiers.contains(tier.get()))
            return Optional.of("the step's model tier '" + tier.get() + "' is none of " + modelTiers);
        return modelTiers.indexOf(tier.get()) < modelTiers.indexOf(minimum.get())
                ? Optional.of("it needs a model of tier " + minimum.get() + ", and this one is " + tier.get())
                : Optional.empty();
    }

    private static int whole(ObjectNode json, String key, int absent, int least) {
        JsonNode value = json.path(key);
        if (value.isMissingNode())
            return absent;
        if (!value.isInt() || value.intValue() < least)
            throw wrong(key, "must be a whole number from " + least + ", not " + value);
        return value.intValue();
    }

    private static Optional<List<String>> texts(ObjectNode json, String key) {
        JsonNode value = json.path(key);
        if (value.isMissingNode())
            return Optional.empty();
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value)
            if (item.isString() && !item.stringValue().isBlank())
                texts.add(item.stringValue());
        if (!value.isArray() || texts.size() != value.size())
            throw wrong(key, "must be a list of names, not " + value);
        return Optional.of(List.copyOf(texts));
    }

    private static IllegalArgumentException wrong(String key, String problem) {
        return new IllegalArgumentException(PATH + key + " " + problem + ".");
    }
}
