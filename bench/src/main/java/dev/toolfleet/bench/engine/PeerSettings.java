package dev.toolfleet.bench.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Settings of an engine that is no fleet.
///
/// @param bootstrapServers of the broker
/// @param calls the topic that it reads
/// @param results the topic that it writes
/// @param group of its consumer; its transactional id too
/// @param concurrency how many calls it may work on at a time, where it has such a bound
/// @param transactional whether results and offsets are committed in transactions
public record PeerSettings(String bootstrapServers, String calls, String results, String group, int concurrency,
        boolean transactional) {

    /// Arguments of a `main` that [#of] understands.
    public List<String> arguments() {
        return List.of(bootstrapServers, calls, results, group, Integer.toString(concurrency),
                Boolean.toString(transactional));
    }

    static PeerSettings of(String[] arguments) {
        return new PeerSettings(arguments[0], arguments[1], arguments[2], arguments[3], Integer.parseInt(arguments[4]),
                Boolean.parseBoolean(arguments[5]));
    }

    Map<String, Object> consumer() {
        return Map.of("bootstrap.servers", bootstrapServers, "group.id", group, "enable.auto.commit", false,
                "auto.offset.reset", "earliest", "isolation.level", "read_committed");
    }

    Map<String, Object> producer() {
        Map<String, Object> properties = new HashMap<>(Map.of("bootstrap.servers", bootstrapServers, "acks", "all"));
        if (transactional)
            properties.put("transactional.id", group);
        return properties;
    }
}
