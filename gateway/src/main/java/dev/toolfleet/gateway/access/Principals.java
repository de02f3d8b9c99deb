package dev.toolfleet.gateway.access;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.gateway.jwt.Claims;
import dev.toolfleet.json.Digests;

/// The principals of a gateway: those with tokens, known by the SHA-256 of each, and those of issuers of JWTs. The tokens
/// themselves are not known to it.
public final class Principals {
    /// No principals: the gateway serves this machine alone.
    public static final Principals NONE = new Principals(List.of(), List.of());

    private final List<Known> known;
    private final List<JwtEntry> issued;

    /// @param known no two with one digest
    /// @param issued entries of one issuer have the same address of keys
    Principals(List<Known> known, List<JwtEntry> issued) {
        this.known = List.copyOf(known);
        this.issued = List.copyOf(issued);
    }

    /// Principal with the hash of its token.
    ///
    /// @param token the hash
    record Known(Digest token, Principal principal) {}

    /// Digest of a token. Its comparison takes the same time for every other one.
    static final class Digest {
        private final byte[] bytes;

        Digest(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        static Digest of(String token) {
            return new Digest(Digests.newSha256().digest(token.getBytes(StandardCharsets.UTF_8)));
        }

        boolean isEqual(Digest other) {
            return MessageDigest.isEqual(bytes, other.bytes);
        }
    }

    /// Reads the settings below `gateway.principals`: `NAME.tokenHash`, `NAME.jwt.issuer`, `NAME.scopes`, and so on.
    ///
    /// @throws IllegalArgumentException naming the key and, unless it is secret, its value
    public static Principals of(Map<String, String> settings) {
        return PrincipalSettings.read(settings);
    }

    /// True if there are none.
    public boolean isEmpty() {
        return known.isEmpty() && issued.isEmpty();
    }

    /// Returns the entries of the settings, also those whose callers are the subjects of an issuer.
    public List<Principal> all() {
        return Stream.concat(known.stream().map(Known::principal), issued.stream().map(JwtEntry::most)).toList();
    }

    /// Returns the addresses of keys by issuer; empty without entries that have JWTs.
    Map<String, URI> issuers() {
        Map<String, URI> issuers = new LinkedHashMap<>();
        issued.forEach(entry -> issuers.put(entry.issuer(), entry.keys()));
        return issuers;
    }

    /// Returns the principal with this token. Every digest is compared, so the time does not depend on the token.
    Optional<Principal> find(String token) {
        Digest digest = Digest.of(token);
        Principal found = null;
        for (Known each : known) {
            if (each.token().isEqual(digest))
                found = each.principal();
        }
        return Optional.ofNullable(found);
    }

    /// Returns the caller of a verified token: that of the first entry that it fits, else the fault of the last.
    ///
    /// @param issuer one of [#issuers]
    /// @param path of the request
    JwtEntry.Reading read(String issuer, Claims claims, String path) {
        JwtEntry.Reading last = null;
        for (JwtEntry entry : issued) {
            if (!entry.issuer().equals(issuer))
                continue;
            last = entry.read(claims, path);
            if (last instanceof JwtEntry.Reading.Caller)
                return last;
        }
        if (last == null)
            throw new IllegalArgumentException("no entry has this issuer");
        return last;
    }
}
