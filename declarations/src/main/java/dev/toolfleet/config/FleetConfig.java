package dev.toolfleet.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Nearest;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/// Configuration of a fleet: one `fleet.yaml` with the sections `kafka`, `topics`, `worker`, `catalog`,
/// `gateway` and `session`.
/// Environment variables override it, and flags override those. Secrets belong in the environment
/// (`TOOLFLEET_KAFKA_PROPERTIES_SASL_JAAS_CONFIG`). [Settings] has the rule for the names of variables.
///
/// This class reads `kafka` and `topics`. Each process reads and finishes its own section: `worker`, `catalog`,
/// `gateway` or `session`.
///
/// **Threads.** Not thread-safe, except [#copy].
public final class FleetConfig {
    /// The variable that names the file.
    public static final String FILE_VARIABLE = "TOOLFLEET_CONFIG";

    private static final Set<String> SECTIONS = new TreeSet<>(
            Set.of("kafka", "topics", "worker", "catalog", "gateway", "session"));

    private final Map<String, Object> root;
    private final Sources sources;
    private final KafkaConfig kafka;
    private final TopicsConfig topics;
    private final Settings worker;
    private final Settings catalog;
    private final Settings gateway;
    private final Settings session;

    private FleetConfig(Map<String, Object> root, Sources sources) {
        this.root = root;
        this.sources = sources;
        this.kafka = KafkaConfig.of(section(root, "kafka"));
        this.topics = TopicsConfig.of(section(root, "topics"));
        this.worker = section(root, "worker");
        this.catalog = section(root, "catalog");
        this.gateway = section(root, "gateway");
        this.session = section(root, "session");
    }

    /// Reads a configuration.
    ///
    /// @param file the file; null for none
    /// @param environment as [System#getenv]
    /// @param flags full keys to values, such as `worker.maxInFlight` to `500`
    /// @throws ConfigException when the file cannot be read or a value of `kafka` or `topics` is not allowed
    public static FleetConfig load(@Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
        String name = file == null ? "fleet.yaml" : file.toString();
        Map<String, Object> root = file == null ? Map.of() : parse(name, read(file));
        return of(root, new Sources(name, environment, flags));
    }

    /// Reads a configuration from text.
    public static FleetConfig parse(String yaml, Map<String, String> environment, Map<String, String> flags) {
        return of(parse("fleet.yaml", yaml), new Sources("fleet.yaml", environment, flags));
    }

    private static FleetConfig of(Map<String, Object> root, Sources sources) {
        for (String key : root.keySet()) {
            if (!SECTIONS.contains(key))
                throw unknownSection(key);
        }
        String outside = sources.flagOutside(SECTIONS);
        if (outside != null)
            throw unknownSection(outside);
        return new FleetConfig(root, sources);
    }

    /// Returns the same configuration, still unread, for another thread: sections are read by one
    /// thread at a time.
    public FleetConfig copy() {
        return new FleetConfig(root, sources.unread());
    }

    /// Returns the settings of Kafka clients.
    public KafkaConfig kafka() {
        return kafka;
    }

    /// Returns the settings of topics.
    public TopicsConfig topics() {
        return topics;
    }

    /// Returns the worker's section; the worker reads and finishes it.
    public Settings worker() {
        return worker;
    }

    /// Returns the catalog service's section; the catalog service reads and finishes it.
    public Settings catalog() {
        return catalog;
    }

    /// Returns the gateway's section; the gateway reads and finishes it.
    public Settings gateway() {
        return gateway;
    }

    /// Returns the session service's section; the session service reads and finishes it.
    public Settings session() {
        return session;
    }

    /// Returns every setting that was read so far with its value and origin, defaults included, in the order of
    /// reading.
    public List<Effective> effective() {
        List<Effective> all = new ArrayList<>();
        sources.read().forEach(all::add);
        return List.copyOf(all);
    }

    private Settings section(Map<String, Object> root, String name) {
        Object value = root.get(name);
        if (value == null || value.equals(""))
            return new Settings(name, Map.of(), sources);
        if (value instanceof Map<?, ?> map)
            return new Settings(name, Settings.stringKeys(map), sources);
        throw new ConfigException(name, value.toString(), "a section, that is, keys with values below it");
    }

    private static ConfigException unknownSection(String key) {
        return new ConfigException("unknown section '" + key + "'; " + Nearest.to(key.split("\\.", 2)[0], SECTIONS)
                .map(near -> "did you mean " + near + "?").orElse("known: " + String.join(", ", SECTIONS)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException("the configuration file " + file + " does not exist");
        } catch (IOException e) {
            throw new ConfigException("the configuration file " + file + " cannot be read: " + e.getMessage());
        }
    }

    /// Parses a file. Every scalar stays text, as in environment and flags, so that `password: 007` keeps its zeros.
    private static Map<String, Object> parse(String name, String yaml) {
        LoadSettings settings = LoadSettings.builder().setLabel(name).setSchema(new FailsafeSchema())
                .setTagConstructors(Map.of(Tag.NULL, node -> "")).setAllowDuplicateKeys(false).build();
        try {
            Object root = new Load(settings).loadFromString(yaml);
            if (root instanceof Map<?, ?> map)
                return Settings.stringKeys(map);
            if (root == null || root.equals(""))
                return new LinkedHashMap<>();
            throw new ConfigException(name + " must hold sections (" + String.join(", ", SECTIONS) + "), not '" + root
                    + "'");
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark().map(m -> ":" + (m.getLine() + 1) + ":" + (m.getColumn() + 1)).orElse("");
            throw new ConfigException(name + where + " is not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new ConfigException(name + " is not YAML: " + e.getMessage());
        }
    }
}
