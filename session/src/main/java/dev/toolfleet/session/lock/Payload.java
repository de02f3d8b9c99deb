package dev.toolfleet.session.lock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;

/// Content of a lock file: the process that holds it.
///
/// @param host the machine's name
/// @param bootId names the machine's last start; empty when the system does not tell it
/// @param pid the process
/// @param started the start of the process, since process ids are used again
/// @param nonce names this lock
/// @param runId the run that holds the lock
/// @param sessionId the session
/// @param token the fencing token
record Payload(String host, String bootId, long pid, Instant started, String nonce, String runId, String sessionId,
        long token) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    static Payload of(String sessionId, String runId, String nonce, long token) {
        ProcessHandle self = ProcessHandle.current();
        return new Payload(thisHost(), thisBoot(), self.pid(), self.info().startInstant().orElse(Instant.EPOCH), nonce,
                runId,
                sessionId, token);
    }

    /// Reads a lock file's content; empty when it names no process.
    static Optional<Payload> read(byte[] content) {
        try {
            Payload payload = Json.MAPPER.readValue(content, Payload.class);
            boolean whole = payload != null && payload.host != null && payload.bootId != null && payload.started != null
                    && payload.nonce != null && payload.runId != null && payload.pid > 0;
            return whole ? Optional.of(payload) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    byte[] bytes() {
        return Json.MAPPER.writeValueAsBytes(this);
    }

    /// True when the owner runs, or ran, on this machine, so that the system's lock decides about its life.
    boolean isOfThisMachine() {
        return host.equals(thisHost());
    }

    String description() {
        return "run " + runId + ", process " + pid + " on " + host;
    }

    private static String thisHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String thisBoot() {
        try {
            return Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
