package dev.toolfleet.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Nearest;
import org.jspecify.annotations.Nullable;

/// Section of a configuration: typed and strict.
///
/// **Contract.** Every getter takes the key and its default. A value that does not fit throws [ConfigException] with
/// the full key, the value and the accepted values. [#finish] rejects every key that no getter has read, so call all
/// getters first.
///
/// A variable overrides a key; its name is the full key in upper case with `_` for every other character, behind
/// `TOOLFLEET_`: `worker.lane.maxQueued` by `TOOLFLEET_WORKER_LANE_MAXQUEUED`. A flag (`--set key=value`) overrides
/// both.
///
/// **Threads.** Not thread-safe.
public final class Settings {
    private final String path;
    private final Map<String, Object> values;
    private final Sources sources;
    private final Set<String> known = new TreeSet<>();
    private final Map<String, Settings> sections = new LinkedHashMap<>();

    Settings(String path, Map<String, Object> values, Sources sources) {
        this.path = path;
        this.values = values;
        this.sources = sources;
    }

    /// Makes a section that stands alone, without environment and flags.
    ///
    /// @param path the section's name, for messages
    /// @param values texts, numbers, booleans, lists and maps
    public static Settings of(String path, Map<String, ?> values) {
        return new Settings(path, new LinkedHashMap<>(values), new Sources("config", Map.of(), Map.of()));
    }

    /// The text of `key`.
    public String text(String key, String defaultValue) {
        return get(key, defaultValue, "text", Function.identity(), Function.identity());
    }

    /// The text of `key`, which has no default.
    public String text(String key) {
        Effective found = find(key);
        if (found == null)
            throw new ConfigException(full(key) + " is missing; set it in fleet.yaml, as "
                    + Sources.variable(full(key)) + " or with --set " + full(key) + "=...");
        return found.value();
    }

    /// The whole number of `key`, from `min` to `max`.
    public int integer(String key, int defaultValue, int min, int max) {
        return (int) number(key, defaultValue, min, max);
    }

    /// The whole number of `key`, at least 0.
    public int integer(String key, int defaultValue) {
        return integer(key, defaultValue, 0, Integer.MAX_VALUE);
    }

    /// The long whole number of `key`, from `min` to `max`.
    public long number(String key, long defaultValue, long min, long max) {
        String accepted = "a whole number " + (max >= Integer.MAX_VALUE
                ? "of at least " + min
                : "from " + min + " to " + max);
        return get(key, defaultValue, accepted, text -> {
            try {
                long value = Long.parseLong(text.strip().replace("_", ""));
                return value < min || value > max ? null : value;
            } catch (NumberFormatException e) {
                return null;
            }
        }, Object::toString);
    }

    /// `true` or `false`.
    public boolean bool(String key, boolean defaultValue) {
        return get(key, defaultValue, "true or false", text -> switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        }, Object::toString);
    }

    /// A duration such as `30s`, `10m` or `PT5M`; never negative.
    public Duration duration(String key, Duration defaultValue) {
        return get(key, defaultValue, Units.DURATION, Units::duration, Units::text);
    }

    /// A size such as `64MB`, in bytes (1 KB = 1024).
    public long bytes(String key, long defaultValue) {
        return get(key, defaultValue, Units.BYTES, Units::bytes, Object::toString);
    }

    /// A path, as it is written.
    public Path path(String key, Path defaultValue) {
        return get(key, defaultValue, "a path of a file or folder", text -> {
            try {
                return text.isBlank() ? null : Path.of(text.strip());
            } catch (InvalidPathException e) {
                return null;
            }
        }, Path::toString);
    }

    /// A constant of an enum by its name in lower case, `-` for `_`.
    public <E extends Enum<E>> E choice(String key, E defaultValue) {
        List<E> all = List.of(defaultValue.getDeclaringClass().getEnumConstants());
        String accepted = all.stream().map(Settings::choiceName).collect(Collectors.joining(", "));
        return get(key, defaultValue, accepted,
                text -> all.stream().filter(e -> choiceName(e).equals(text.strip())).findFirst().orElse(null),
                Settings::choiceName);
    }

    /// A list of texts; as one text (environment, flags) its items stand between commas.
    public List<String> list(String key, List<String> defaultValue) {
        known.add(key);
        Effective override = sources.override(full(key));
        Object value = values.get(key);
        List<String> result;
        if (override != null) {
            result = split(override.value());
        } else if (value instanceof List<?> items) {
            result = items.stream().map(item -> scalar(key, item, "a list of texts")).toList();
        } else if (value != null) {
            result = split(scalar(key, value, "a list of texts"));
        } else {
            result = List.copyOf(defaultValue);
        }
        String origin = override != null
                ? override.origin()
                : value == null ? Effective.DEFAULT : sources.inFile("", "").origin();
        sources.remember(new Effective(full(key), String.join(",", result), origin));
        return result;
    }

    /// Returns a map with free keys, such as client properties; nested maps are joined with dots, the items of lists with
    /// commas. Keys from the environment are in lower case with `.` for `_`.
    public SequencedMap<String, String> texts(String key) {
        known.add(key);
        SequencedMap<String, Effective> found = new LinkedHashMap<>();
        Object value = values.get(key);
        if (value instanceof Map<?, ?> map) {
            flatten("", map, found, key);
        } else if (value != null && !value.equals("")) {
            throw new ConfigException(full(key), value.toString(), "a map of names to values");
        }
        found.putAll(sources.overridesBelow(full(key)));
        SequencedMap<String, String> result = new LinkedHashMap<>();
        found.forEach((name, effective) -> {
            sources.remember(effective);
            result.put(name, effective.value());
        });
        return result;
    }

    /// The section of `key`; an empty one when it is absent. Its keys are checked by this section's [#finish].
    public Settings section(String key) {
        known.add(key);
        return sections.computeIfAbsent(key, k -> {
            Object value = values.get(k);
            if (value == null || value.equals(""))
                return new Settings(full(k), Map.of(), sources);
            if (value instanceof Map<?, ?> map)
                return new Settings(full(k), stringKeys(map), sources);
            throw new ConfigException(full(k), value.toString(), "a section, that is, keys with values below it");
        });
    }

    /// Rejects a key of an earlier release with any value, so that no setting is ignored in silence.
    ///
    /// @param instead a sentence that ends with the way out
    public void removed(String key, String instead) {
        Effective override = sources.override(full(key));
        if (override == null && values.get(key) == null)
            return;
        String origin = override == null ? sources.inFile("", "").origin() : override.origin();
        throw new ConfigException(full(key) + " (from " + origin + ") is no longer a setting: " + instead);
    }

    /// The section's full key.
    public String path() {
        return path;
    }

    /// Rejects keys that no getter has read, here and in the sections below, and names the nearest known one.
    public void finish() {
        for (String key : values.keySet()) {
            if (!known.contains(key))
                throw unknown(full(key), key);
        }
        sections.values().forEach(Settings::finish);
        Effective unused = sources.unused(path);
        if (unused != null)
            throw unknown(unused.key() + " (from " + unused.origin() + ")", unused.key().substring(path.length() + 1));
    }

    private ConfigException unknown(String what, String wrong) {
        Settings section = sections.get(wrong);
        if (section != null) {
            return new ConfigException(what + " is a section and has no value of its own; in it there are: "
                    + section.known.stream().map(section::full).collect(Collectors.joining(", ")));
        }
        return new ConfigException("unknown setting " + what + "; " + Nearest.to(wrong, known)
                .map(near -> "did you mean " + full(near) + "?")
                .orElse(known.isEmpty() ? "the section has none" : "known: " + String.join(", ", known)));
    }

    private <T> T get(String key, T defaultValue, String accepted, Function<String, @Nullable T> parse,
            Function<? super T, String> print) {
        Effective found = find(key);
        if (found == null) {
            sources.remember(new Effective(full(key), print.apply(defaultValue), Effective.DEFAULT));
            return defaultValue;
        }
        T value = parse.apply(found.value());
        if (value == null)
            throw new ConfigException(full(key), found.value(), accepted + " (it stands in " + found.origin() + ")");
        return value;
    }

    private @Nullable Effective find(String key) {
        known.add(key);
        Effective found = sources.override(full(key));
        if (found == null) {
            Object value = values.get(key);
            if (value == null)
                return null;
            found = sources.inFile(full(key), scalar(key, value, "a single value"));
        }
        sources.remember(found);
        return found;
    }

    private void flatten(String prefix, Map<?, ?> map, Map<String, Effective> into, String key) {
        map.forEach((name, value) -> {
            String rest = prefix + name;
            if (value instanceof Map<?, ?> nested) {
                flatten(rest + ".", nested, into, key);
            } else {
                String text = value instanceof List<?> items
                        ? items.stream().map(item -> scalar(key + "." + rest, item, "a list of texts"))
                                .collect(Collectors.joining(","))
                        : scalar(key + "." + rest, value, "a single value");
                into.put(rest, sources.inFile(full(key) + "." + rest, text));
            }
        });
    }

    private String scalar(String key, @Nullable Object value, String accepted) {
        if (value == null || value instanceof Map<?, ?> || value instanceof List<?>)
            throw new ConfigException(full(key), String.valueOf(value), accepted);
        return value.toString();
    }

    private String full(String key) {
        return path + "." + key;
    }

    static Map<String, Object> stringKeys(Map<?, ?> map) {
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(String.valueOf(key), value == null ? "" : value));
        return result;
    }

    private static List<String> split(String text) {
        List<String> items = new ArrayList<>();
        Arrays.stream(text.split(",")).map(String::strip).filter(item -> !item.isEmpty()).forEach(items::add);
        return List.copyOf(items);
    }

    private static String choiceName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
