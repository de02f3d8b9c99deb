package dev.toolfleet.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.json.Digests;

/// The principals of a gateway, by the SHA-256 of their tokens. The tokens themselves are not known to it.
public final class Principals {
    /// No principals: the gateway serves this machine alone.
    public static final Principals NONE = new Principals(List.of());

    private static final String TOKEN = "tokenHash";
    private static final String SCOPES = "scopes";
    private static final String AGENTS = "agents";
    private static final String INSTANCES = "instances";
    private static final String USER = "userId";
    private static final String CHANNEL = "channelId";
    private static final String OTHERS = "speaksForOthers";
    private static final Set<String> FIELDS = Set.of(TOKEN, SCOPES, AGENTS, INSTANCES, USER, CHANNEL, OTHERS,
            Callbacks.URL, Callbacks.SECRET, Callbacks.SECRETS);
    private static final String HASH = "sha256:[0-9a-f]{64}";
    private static final String NAME = "[A-Za-z0-9_-]{1,64}";
    private static final String KEY = "gateway.principals.";

    private final List<Known> known;

    private Principals(List<Known> known) {
        this.known = List.copyOf(known);
    }

    /// A principal with the hash of its token.
    private static final class Known {
        private final byte[] digest;
        private final Principal principal;

        Known(byte[] digest, Principal principal) {
            this.digest = digest;
            this.principal = principal;
        }
    }

    /// Reads the settings below `gateway.principals`: `NAME.tokenHash`, `NAME.scopes`, and so on.
    ///
    /// @throws IllegalArgumentException naming the key and, unless it is secret, its value
    public static Principals of(Map<String, String> settings) {
        Map<String, Map<String, String>> byName = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            int dot = key.indexOf('.');
            String name = dot < 0 ? key : key.substring(0, dot);
            String field = dot < 0 ? "" : key.substring(dot + 1);
            if (!name.matches(NAME))
                throw new IllegalArgumentException(KEY + name
                        + " is no name of a principal: letters, digits, '_' and '-', 1 to 64 characters");
            if (!FIELDS.contains(field))
                throw new IllegalArgumentException("unknown setting " + KEY + key + "; a principal has "
                        + String.join(", ", FIELDS.stream().sorted().toList()));
            byName.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(field, value);
        });
        List<Known> known = new ArrayList<>();
        byName.forEach((name, fields) -> known.add(known(name, fields)));
        for (int i = 0; i < known.size(); i++) {
            for (Known other : known.subList(0, i)) {
                if (MessageDigest.isEqual(known.get(i).digest, other.digest))
                    throw new IllegalArgumentException(KEY + known.get(i).principal.name() + ".tokenHash is that of "
                            + other.principal.name() + ", too; give each principal a token of its own");
            }
        }
        return new Principals(known);
    }

    private static Known known(String name, Map<String, String> fields) {
        String hash = fields.getOrDefault(TOKEN, "");
        if (!hash.matches(HASH))
            throw new IllegalArgumentException(KEY + name + "." + TOKEN + " must be sha256: and 64 hexadecimal digits,"
                    + " the SHA-256 of the token; printf %s \"$TOKEN\" | sha256sum prints the digits");
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String text : items(fields.getOrDefault(SCOPES, ""))) {
            scopes.add(Scope.of(text).orElseThrow(() -> new IllegalArgumentException(KEY + name + "." + SCOPES + " '"
                    + text + "' is no scope; there are " + Scope.all())));
        }
        String others = fields.getOrDefault(OTHERS, "false");
        if (!others.equals("true") && !others.equals("false"))
            throw new IllegalArgumentException(KEY + name + "." + OTHERS + " '" + others + "' is not true or false");
        return new Known(HexFormat.of().parseHex(hash.substring(hash.indexOf(':') + 1)),
                new Principal(name, scopes, new Names(items(fields.getOrDefault(AGENTS, ""))),
                        new Names(items(fields.getOrDefault(INSTANCES, ""))), text(fields, USER),
                        text(fields, CHANNEL), others.equals("true"), Callbacks.of(fields,
                                items(fields.getOrDefault(Callbacks.SECRETS, "")), KEY + name)));
    }

    private static Optional<String> text(Map<String, String> fields, String field) {
        return Optional.ofNullable(fields.get(field)).filter(value -> !value.isEmpty());
    }

    private static List<String> items(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).filter(item -> !item.isEmpty()).toList();
    }

    /// True if there are none.
    public boolean isEmpty() {
        return known.isEmpty();
    }

    /// Returns all principals.
    public List<Principal> all() {
        return known.stream().map(each -> each.principal).toList();
    }

    /// Returns the principal with this token. The comparison takes the same time for every token.
    Optional<Principal> find(String token) {
        byte[] digest = Digests.newSha256().digest(token.getBytes(StandardCharsets.UTF_8));
        Principal found = null;
        for (Known each : known) {
            if (MessageDigest.isEqual(each.digest, digest))
                found = each.principal;
        }
        return Optional.ofNullable(found);
    }
}
