package dev.toolfleet.worker.simulation;

import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A call as its caller wrote it.
///
/// @param id the model's id, which may repeat
/// @param argument of the tool; another one makes another fingerprint
record SimCall(int partition, long offset, String instance, Kind kind, String id, int argument) {
    enum Kind {
        READ_ONLY, IDEMPOTENT, ONCE;

        /// The kind of tool that a name stands for.
        static Kind of(String tool) {
            return valueOf(tool.substring(0, tool.indexOf("__")).toUpperCase(Locale.ROOT));
        }
    }

    String key() {
        return key(partition, offset);
    }

    static String key(int partition, long offset) {
        return partition + "/" + offset;
    }

    byte[] json() {
        return ("{\"id\":\"" + id + "\",\"name\":\"" + kind.name().toLowerCase(Locale.ROOT) + "__x\",\"instanceKey\":\""
                + instance + "\",\"agentName\":\"a\",\"turnId\":\"t\",\"stepId\":\"s\",\"args\":{\"n\":" + argument
                + "}}").getBytes(UTF_8);
    }
}
