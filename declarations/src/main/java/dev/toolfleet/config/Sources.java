package dev.toolfleet.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Sources of settings beside the file, and the list of the settings that were read. Not thread-safe: configuration is
/// read once, at start.
final class Sources {
    /// Variables that Kubernetes sets for a service named like a section.
    private static final Pattern SERVICE_LINK = Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT.*|PORT|PORT_\\d+_.*)");
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private final String fileName;
    private final Map<String, String> environment;
    private final Map<String, String> flags;
    private final Set<String> used = new TreeSet<>();
    private final SequencedMap<String, Effective> read = new LinkedHashMap<>();

    Sources(String fileName, Map<String, String> environment, Map<String, String> flags) {
        this.fileName = fileName;
        this.environment = new TreeMap<>(environment);
        this.flags = new TreeMap<>(flags);
    }

    /// Returns the same sources, still unread.
    Sources unread() {
        return new Sources(fileName, environment, flags);
    }

    /// The override of `key`, if there is one.
    @Nullable
    Effective override(String key) {
        String variable = variable(key);
        String flag = flags.get(key);
        String value = environment.get(variable);
        used.add(key);
        used.add(variable);
        if (flag != null)
            return new Effective(key, flag, flagOrigin(key));
        if (value == null || SERVICE_ADDRESS.matcher(value).matches())
            return null;
        return new Effective(key, value, variable);
    }

    /// The overrides of all keys below `key`, by the rest of the key; names from the environment are lower-cased with
    /// `_` read as `.`.
    SequencedMap<String, Effective> overridesBelow(String key) {
        SequencedMap<String, Effective> found = new LinkedHashMap<>();
        String prefix = variable(key) + "_";
        environment.forEach((name, value) -> {
            if (name.startsWith(prefix) && name.length() > prefix.length()) {
                used.add(name);
                String rest = name.substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', '.');
                found.put(rest, new Effective(key + "." + rest, value, name));
            }
        });
        flags.forEach((name, value) -> {
            if (name.startsWith(key + ".")) {
                used.add(name);
                found.put(name.substring(key.length() + 1), new Effective(name, value, flagOrigin(name)));
            }
        });
        return found;
    }

    /// A value of the file.
    Effective inFile(String key, String value) {
        return new Effective(key, value, fileName);
    }

    /// Notes a setting that was read, for [FleetConfig#effective].
    void remember(Effective effective) {
        read.put(effective.key(), effective);
    }

    /// Returns all settings that were read so far, in the order of reading.
    Iterable<Effective> read() {
        return read.sequencedValues();
    }

    /// Returns a flag or variable below `section` that no getter has read, as a key; null when there is none.
    @Nullable
    Effective unused(String section) {
        for (var flag : flags.entrySet()) {
            if (flag.getKey().startsWith(section + ".") && !used.contains(flag.getKey()))
                return new Effective(flag.getKey(), flag.getValue(), flagOrigin(flag.getKey()));
        }
        String prefix = variable(section) + "_";
        for (var variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(prefix) && !used.contains(name) && !SERVICE_LINK.matcher(name).matches())
                return new Effective(section + "." + name.substring(prefix.length()).toLowerCase(Locale.ROOT),
                        variable.getValue(), name);
        }
        return null;
    }

    /// Returns the first flag that belongs to none of `sections`; null when all do.
    @Nullable
    String flagOutside(Set<String> sections) {
        return flags.keySet().stream().filter(name -> !sections.contains(name.split("\\.", 2)[0])).findFirst()
                .orElse(null);
    }

    /// `worker.maxInFlight` → `TOOLFLEET_WORKER_MAXINFLIGHT`.
    static String variable(String key) {
        return "TOOLFLEET_" + key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    private static String flagOrigin(String key) {
        return "--set " + key;
    }
}
