package dev.toolfleet.worker.tools.args;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Ceiling of a built-in Tool (`worker.tools.NAME.ceiling`): the most that the `spec.config` of a bundle may open.
///
/// **Contract.** A configuration above the ceiling is refused, by the first key that exceeds it. A key that a bundle
/// leaves out has its default, or the ceiling where the default exceeds it. So no key that a bundle writes or leaves
/// out opens more than the operator of the worker allows.
///
/// **Threads.** Immutable.
///
/// @param bounds by the key of `spec.config`
public record Ceiling(String path, Map<String, Bound> bounds) {
    /// Allows everything, in a list.
    public static final String ANY = "*";

    private static final String VARIABLES = "names of variables, such as ACME_TOKEN or ACME_*";

    /// The most that one key may open.
    sealed interface Bound {
        /// Describes the excess over this bound; empty if the value is within it. The tool itself refuses a value of
        /// another kind.
        Optional<String> excess(JsonNode value);

        /// The allowed values, as a text for people.
        String allowed();

        /// Writes the value of a key that is left out, if the default exceeds the bound.
        void complete(String key, ObjectNode config);
    }

    /// The largest number.
    ///
    /// @param byDefault the value of a key that is left out
    record Most(int most, int byDefault) implements Bound {
        @Override
        public Optional<String> excess(JsonNode value) {
            return value.isIntegralNumber() && (!value.canConvertToLong() || value.longValue() > most)
                    ? Optional.of(value.toString())
                    : Optional.empty();
        }

        @Override
        public String allowed() {
            return "at most " + most;
        }

        @Override
        public void complete(String key, ObjectNode config) {
            if (!config.has(key) && byDefault > most)
                config.put(key, most);
        }
    }

    /// A flag that may be set, or not.
    record May(boolean may) implements Bound {
        @Override
        public Optional<String> excess(JsonNode value) {
            return !may && value.isBoolean() && value.booleanValue() ? Optional.of("true") : Optional.empty();
        }

        @Override
        public String allowed() {
            return may ? "true" : "false only";
        }

        @Override
        public void complete(String key, ObjectNode config) {}
    }

    /// A list whose items are all within one of these.
    ///
    /// @param covers true if an item of the ceiling holds an item of the configuration; also called for texts that may
    /// be no items, and then false
    /// @param absent the meaning of a configuration without the key, or with an empty list where `emptyIsAll`; null for
    /// nothing
    /// @param emptyIsAll whether an empty list opens everything
    record Within(List<String> items, BiPredicate<String, String> covers, @Nullable List<String> absent,
            boolean emptyIsAll) implements Bound {
        Within {
            items = List.copyOf(items);
        }

        @Override
        public Optional<String> excess(JsonNode value) {
            if (items.contains(ANY))
                return Optional.empty();
            for (JsonNode item : value.isArray() ? value.values() : List.of(value)) {
                String text = item.asString("");
                if (!text.isEmpty() && items.stream().noneMatch(most -> covers.test(most, text.strip())))
                    return Optional.of(shown(text));
            }
            return Optional.empty();
        }

        /// An address may hold a password, which the tool would refuse without showing it.
        private static String shown(String text) {
            return text.contains("://") && text.contains("@")
                    ? "an address with a user, which is not shown"
                    : "'" + text + "'";
        }

        @Override
        public String allowed() {
            return items.isEmpty() ? "nothing" : String.join(", ", items);
        }

        @Override
        public void complete(String key, ObjectNode config) {
            boolean left = !config.has(key) || (emptyIsAll && config.path(key).isArray() && config.path(key).isEmpty());
            if (!left || absent == null || items.contains(ANY))
                return;
            ArrayNode most = config.putArray(key);
            if (absent.contains(ANY))
                items.forEach(most::add);
            else
                absent.stream().filter(one -> items.stream().anyMatch(item -> covers.test(item, one)))
                        .forEach(most::add);
        }
    }

    /// The variables of the worker's environment that `{valueFrom: {env: NAME}}` may name. Of a value of another form,
    /// which may be a secret itself, nothing is shown: the tool refuses it.
    record Variable(Within names) implements Bound {
        @Override
        public Optional<String> excess(JsonNode value) {
            return names.excess(value.path("valueFrom").path("env")).map(name -> "the variable " + name);
        }

        @Override
        public String allowed() {
            return names.allowed();
        }

        @Override
        public void complete(String key, ObjectNode config) {}
    }

    /// Copies the map.
    public Ceiling {
        bounds = Map.copyOf(bounds);
    }

    /// Returns the configuration as it may be used.
    ///
    /// @param tool the Tool's name, for the refusal
    /// @throws IllegalArgumentException if it exceeds the ceiling, with the key, its value and the allowed values
    public ObjectNode within(String tool, ObjectNode config) {
        ObjectNode bounded = config.deepCopy();
        new TreeMap<>(bounds).forEach((key, bound) -> {
            JsonNode value = config.path(key);
            bound.excess(value).ifPresent(excess -> {
                throw new IllegalArgumentException("Tool/" + tool + " spec.config." + key + " is " + excess
                        + ", above the ceiling of this worker: " + path + "." + key + " allows " + bound.allowed()
                        + ". Lower it in the bundle, or have the operator raise the ceiling.");
            });
            bound.complete(key, bounded);
        });
        return bounded;
    }

    private static boolean isVariable(String most, String name) {
        return Glob.ofText(most).matches(name);
    }

    /// Reads the keys of a ceiling.
    public static final class Reader {
        private final Settings settings;
        private final SequencedMap<String, Bound> bounds = new LinkedHashMap<>();

        /// @param settings the section `ceiling` of a Tool
        public Reader(Settings settings) {
            this.settings = settings;
        }

        /// Reads a key with a number.
        ///
        /// @param byDefault the value of a key that a bundle leaves out
        public Reader most(String key, int byDefault) {
            bounds.put(key, new Most(settings.integer(key, Integer.MAX_VALUE, 1, Integer.MAX_VALUE), byDefault));
            return this;
        }

        /// Reads a key with a flag.
        ///
        /// @param unset whether bundles may set it if the operator sets no ceiling
        public Reader may(String key, boolean unset) {
            bounds.put(key, new May(settings.bool(key, unset)));
            return this;
        }

        /// Reads a key with a list that opens the items that it names, and nothing if a bundle leaves it out.
        ///
        /// @param unset the ceiling if the operator sets none
        /// @param covers see [Within]
        /// @param check throws an [IllegalArgumentException] for an invalid item of the ceiling
        /// @param form the form of items, for messages
        public Reader opening(String key, List<String> unset, BiPredicate<String, String> covers,
                Consumer<String> check, String form) {
            return list(key, unset, covers, null, false, check, form);
        }

        /// Reads a key that names a variable of the worker's environment.
        ///
        /// @param unset patterns of the variables that it may name if the operator sets no ceiling
        public Reader variable(String key, List<String> unset) {
            list(key, unset, Ceiling::isVariable, null, false, Glob::ofText, VARIABLES);
            if (bounds.get(key) instanceof Within within)
                bounds.put(key, new Variable(within));
            return this;
        }

        /// A key with a list of such variables; none where a bundle leaves it out.
        public Reader variables(String key, List<String> unset) {
            return list(key, unset, Ceiling::isVariable, null, false, Glob::ofText, VARIABLES);
        }

        /// A key with a list that narrows: where a bundle leaves it out, `absent` holds.
        ///
        /// @param emptyIsAll whether an empty list of a bundle stands for everything
        public Reader narrowing(String key, BiPredicate<String, String> covers, List<String> absent,
                boolean emptyIsAll, Consumer<String> check, String form) {
            return list(key, List.of(ANY), covers, absent, emptyIsAll, check, form);
        }

        private Reader list(String key, List<String> unset, BiPredicate<String, String> covers,
                @Nullable List<String> absent, boolean emptyIsAll, Consumer<String> check, String form) {
            List<String> items = settings.list(key, unset);
            for (String item : items) {
                try {
                    if (!item.equals(ANY))
                        check.accept(item);
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(settings.path() + "." + key, item, form + ", or * for all");
                }
            }
            if (emptyIsAll && items.isEmpty())
                throw new ConfigException(settings.path() + "." + key, "",
                        "at least one of " + form + ", or * for all");
            bounds.put(key, new Within(items, covers, absent, emptyIsAll));
            return this;
        }

        /// The ceiling.
        public Ceiling read() {
            return new Ceiling(settings.path(), bounds);
        }
    }
}
