package dev.toolfleet.gateway.access;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.access.JwtEntry.RequiredClaim;

/// Reader of the settings below `gateway.principals`.
final class PrincipalSettings {
    private static final String TOKEN = "tokenHash";
    private static final String SCOPES = "scopes";
    private static final String AGENTS = "agents";
    private static final String INSTANCES = "instances";
    private static final String USER = "userId";
    private static final String CHANNEL = "channelId";
    private static final String OTHERS = "speaksForOthers";
    private static final String JWT = "jwt.";
    private static final String ISSUER = JWT + "issuer";
    private static final String AUDIENCE = JWT + "audience";
    private static final String KEYS = JWT + "jwksUri";
    private static final String CLAIM = JWT + "claim";
    private static final String AGENTS_CLAIM = JWT + "agentsClaim";
    private static final String INSTANCES_CLAIM = JWT + "instancesClaim";
    private static final String USER_CLAIM = JWT + "userIdClaim";
    private static final String CHANNEL_CLAIM = JWT + "channelIdClaim";
    private static final List<String> FIELDS = List.of(AGENTS, CHANNEL, INSTANCES, AGENTS_CLAIM, AUDIENCE,
            CHANNEL_CLAIM, CLAIM, INSTANCES_CLAIM, ISSUER, KEYS, USER_CLAIM, SCOPES, OTHERS, TOKEN, USER,
            Callbacks.URL, Callbacks.SECRET, Callbacks.SECRETS);
    private static final String HASH = "sha256:[0-9a-f]{64}";
    private static final String NAME = "[A-Za-z0-9_-]{1,64}";
    private static final String KEY = "gateway.principals.";

    private final String name;
    private final Map<String, String> fields;

    private PrincipalSettings(String name, Map<String, String> fields) {
        this.name = name;
        this.fields = fields;
    }

    static Principals read(Map<String, String> settings) {
        Map<String, Map<String, String>> byName = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            int dot = key.indexOf('.');
            String name = dot < 0 ? key : key.substring(0, dot);
            if (!name.matches(NAME))
                throw new IllegalArgumentException(KEY + name
                        + " is no name of a principal: letters, digits, '_' and '-', 1 to 64 characters");
            byName.computeIfAbsent(name, _ -> new LinkedHashMap<>())
                    .put(field(key, dot < 0 ? "" : key.substring(dot + 1)), value.strip());
        });
        List<Principals.Known> known = new ArrayList<>();
        List<JwtEntry> issued = new ArrayList<>();
        byName.forEach((name, fields) -> {
            PrincipalSettings entry = new PrincipalSettings(name, fields);
            if (entry.hasJwt())
                issued.add(entry.issued(issued));
            else
                known.add(entry.known(known));
        });
        return new Principals(known, issued);
    }

    /// The field as it is documented; keys of the environment are in lower case.
    private static String field(String key, String field) {
        return FIELDS.stream().filter(field::equalsIgnoreCase).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown setting " + KEY + key
                        + "; a principal has " + String.join(", ", FIELDS)));
    }

    private boolean hasJwt() {
        boolean jwt = fields.keySet().stream().anyMatch(field -> field.startsWith(JWT));
        if (jwt && fields.containsKey(TOKEN))
            throw new IllegalArgumentException(KEY + name + " has " + TOKEN + " and " + ISSUER
                    + "; make two principals of it, each with one kind of token");
        return jwt;
    }

    private Principals.Known known(List<Principals.Known> before) {
        String hash = fields.getOrDefault(TOKEN, "");
        if (!hash.matches(HASH))
            throw new IllegalArgumentException(KEY + name + "." + TOKEN + " must be sha256: and 64 hexadecimal digits,"
                    + " the SHA-256 of the token; printf %s \"$TOKEN\" | sha256sum prints the digits. A principal"
                    + " without a token of its own has " + ISSUER + " instead");
        Principals.Digest digest = new Principals.Digest(
                HexFormat.of().parseHex(hash.substring(hash.indexOf(':') + 1)));
        if (digest.isEqual(Principals.Digest.of("")))
            throw new IllegalArgumentException(KEY + name + "." + TOKEN + " is the SHA-256 of an empty token, which"
                    + " everyone has; was the variable or the file set? openssl rand -hex 32 makes a token");
        for (Principals.Known other : before) {
            if (other.token().isEqual(digest))
                throw new IllegalArgumentException(KEY + name + "." + TOKEN + " is that of "
                        + other.principal().name() + ", too; give each principal a token of its own");
        }
        return new Principals.Known(digest, principal());
    }

    private JwtEntry issued(List<JwtEntry> before) {
        URI keys = url(KEYS);
        String issuer = url(ISSUER).toString();
        for (JwtEntry other : before) {
            if (other.issuer().equals(issuer) && !other.keys().equals(keys))
                throw new IllegalArgumentException(KEY + name + "." + KEYS + " '" + keys + "' is '" + other.keys()
                        + "' for the same issuer at " + other.most().entry() + "; an issuer has one address of keys");
        }
        if (scopes().isEmpty())
            throw new IllegalArgumentException(KEY + name + "." + SCOPES + " is empty; name the scopes that its JWTs"
                    + " have at most: " + Scope.all());
        for (String field : List.of(USER, CHANNEL)) {
            if (text(field).isPresent() && text(JWT + field + "Claim").isPresent())
                throw new IllegalArgumentException(KEY + name + " has " + field + " and " + JWT + field
                        + "Claim; keep one of them");
        }
        return new JwtEntry(principal(), issuer, new Audience(withoutSlash(required(AUDIENCE))), keys,
                text(CLAIM).map(this::claim), text(AGENTS_CLAIM), text(INSTANCES_CLAIM), text(USER_CLAIM),
                text(CHANNEL_CLAIM));
    }

    private Principal principal() {
        String others = fields.getOrDefault(OTHERS, "false");
        if (!others.equals("true") && !others.equals("false"))
            throw new IllegalArgumentException(KEY + name + "." + OTHERS + " '" + others + "' is not true or false");
        return new Principal(name, name, scopes(), Names.of(items(AGENTS)), Names.of(items(INSTANCES)), text(USER),
                text(CHANNEL), others.equals("true"), Callbacks.of(fields, items(Callbacks.SECRETS), KEY + name));
    }

    private Set<Scope> scopes() {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String text : items(SCOPES)) {
            scopes.add(Scope.of(text).orElseThrow(() -> new IllegalArgumentException(KEY + name + "." + SCOPES + " '"
                    + text + "' is no scope; there are " + Scope.all())));
        }
        return scopes;
    }

    private RequiredClaim claim(String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || equals == text.length() - 1)
            throw new IllegalArgumentException(KEY + name + "." + CLAIM + " '" + text
                    + "' is not allowed: NAME=VALUE, such as client_id=ci");
        return new RequiredClaim(text.substring(0, equals), text.substring(equals + 1));
    }

    private URI url(String field) {
        String text = required(field);
        return HttpsUrl.of(text).orElseThrow(() -> new IllegalArgumentException(KEY + name + "." + field + " '" + text
                + "' is not allowed: an https:// URL without query and fragment, or http:// of this machine"));
    }

    private String required(String field) {
        return text(field).orElseThrow(() -> new IllegalArgumentException(KEY + name + "." + field + " is missing;"
                + " a principal with JWTs has " + String.join(", ", ISSUER, AUDIENCE, KEYS)));
    }

    private Optional<String> text(String field) {
        return Optional.ofNullable(fields.get(field)).filter(value -> !value.isEmpty());
    }

    private List<String> items(String field) {
        return Arrays.stream(fields.getOrDefault(field, "").split(",", -1)).map(String::strip)
                .filter(item -> !item.isEmpty()).toList();
    }

    private static String withoutSlash(String audience) {
        return audience.endsWith("/") ? audience.substring(0, audience.length() - 1) : audience;
    }
}
