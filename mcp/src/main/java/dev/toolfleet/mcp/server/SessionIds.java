package dev.toolfleet.mcp.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcLimits;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Ids of legacy sessions that describe themselves: the session as JSON, and its HMAC-SHA256, both in base64url.
///
/// **Contract.** Every replica with one of the keys reads the ids of all, and nothing is stored. An id that was changed,
/// is too old, or belongs to another principal is unknown. A session cannot be ended early: that would need a store.
///
/// **Threads.** Any.
public final class SessionIds {
    private static final String PURPOSE = "toolfleet-mcp-session-v1\n";
    private static final int LONGEST = 4_096;
    private static final int LONGEST_PART = 500;
    /// The capabilities that decide how a server answers. Others may be long, and a header is bounded.
    private static final List<String> KEPT = List.of("elicitation", "sampling", "roots", "tasks");

    private final List<byte[]> keys;
    private final Clock clock;
    private final Duration life;
    private final RpcCodec codec = new RpcCodec(new RpcLimits(LONGEST, 20));

    /// @param keys at least one of at least 16 bytes: the first one signs, all are accepted
    /// @param clock the clock
    /// @param life the time after which a client must open another session
    public SessionIds(List<byte[]> keys, Clock clock, Duration life) {
        if (keys.isEmpty() || keys.stream().anyMatch(key -> key.length < 16))
            throw new IllegalArgumentException("sessions need a key of at least 16 bytes");
        this.keys = keys.stream().map(byte[]::clone).toList();
        this.clock = clock;
        this.life = life;
    }

    /// Returns the id of a session.
    public String idOf(LegacySession session) {
        ObjectNode json = McpJson.object().put("n", session.name()).put("r", session.revision().text())
                .put("p", session.principal()).put("i", session.instance()).put("t", session.since().getEpochSecond());
        json.set("c", kept(session.capabilities()));
        PeerInfo client = session.client();
        if (client != null)
            json.set("k", client.json());
        byte[] text = codec.write(new RpcMessage.Notification("s", json));
        return base64(text) + "." + base64(mac(keys.getFirst(), text));
    }

    /// Returns the session of an id; nothing for an id that this principal cannot use.
    public Optional<LegacySession> read(String id, String principal) {
        int dot = id.indexOf('.');
        if (id.length() > 2 * LONGEST || dot < 0)
            return Optional.empty();
        try {
            byte[] text = Base64.getUrlDecoder().decode(id.substring(0, dot));
            byte[] mac = Base64.getUrlDecoder().decode(id.substring(dot + 1));
            if (keys.stream().noneMatch(key -> MessageDigest.isEqual(mac(key, text), mac)))
                return Optional.empty();
            if (codec.read(text) instanceof RpcMessage.Notification(String method, ObjectNode json))
                return session(json).filter(session -> session.principal().equals(principal)
                        && clock.instant().isBefore(session.since().plus(life)));
        } catch (IllegalArgumentException | UnreadableMessage e) {
            // No id of this server.
        }
        return Optional.empty();
    }

    private static Optional<LegacySession> session(ObjectNode json) {
        return Revision.of(json.path("r").asString("")).map(revision -> new LegacySession(
                json.path("n").asString(""), revision, (ObjectNode) json.path("c"), PeerInfo.of(json.path("k")),
                json.path("p").asString(""), json.path("i").asString(""),
                Instant.ofEpochSecond(json.path("t").longValue(0))));
    }

    private static ObjectNode kept(ObjectNode capabilities) {
        ObjectNode kept = McpJson.object();
        for (String name : KEPT) {
            JsonNode value = capabilities.get(name);
            if (value != null && value.isObject())
                kept.set(name, value.toString().length() <= LONGEST_PART ? value : McpJson.object());
        }
        return kept;
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(PURPOSE.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
