package dev.toolfleet.gateway.access;

import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.jwt.Claims;
import dev.toolfleet.gateway.jwt.TokenVerdict.Fault;
import dev.toolfleet.json.Digests;

/// Entry of `gateway.principals` whose callers are the subjects of an issuer.
///
/// @param most the entry's own settings: what a token has at most
/// @param issuer the claim `iss`
/// @param keys the address of the issuer's keys
/// @param required a claim that a token must have, so that several entries share an issuer
/// @param agents the claim with patterns of agents, and so on; empty for none
record JwtEntry(Principal most, String issuer, Audience audience, URI keys, Optional<RequiredClaim> required,
        Optional<String> agents, Optional<String> instances, Optional<String> userId, Optional<String> channelId) {
    private static final String PLAIN = "[A-Za-z0-9._-]{1,64}";
    private static final int MAX_TEXT = 1024;

    /// Claim that must be this text, or a list with it.
    record RequiredClaim(String name, String value) {
        boolean isIn(Claims claims) {
            return claims.texts(name).contains(value);
        }
    }

    /// Principal, or the fault of its token.
    sealed interface Reading {
        /// The caller.
        record Caller(Principal principal) implements Reading {}

        /// The token does not fit.
        record Misfit(Fault fault, String detail) implements Reading {}
    }

    /// Returns the caller that a verified token of the issuer is from.
    ///
    /// @param path of the request
    Reading read(Claims claims, String path) {
        if (required.isPresent() && !required.get().isIn(claims))
            return new Reading.Misfit(Fault.CLAIM, "the token has no claim '" + required.get().name()
                    + "' that a principal wants");
        if (!audience.permits(claims.texts("aud"), path))
            return new Reading.Misfit(Fault.AUDIENCE, "the token is for another audience than this gateway or path");
        for (Optional<String> claim : List.of(userId, channelId)) {
            if (claim.isPresent() && claims.text(claim.get()).filter(text -> text.length() <= MAX_TEXT).isEmpty())
                return new Reading.Misfit(Fault.CLAIM, "the token has no claim '" + claim.get()
                        + "' of 1 to " + MAX_TEXT + " characters, which names the user or channel");
        }
        return new Reading.Caller(new Principal(name(claims), most.entry(), scopes(claims),
                narrowed(most.agents(), agents, claims), narrowed(most.instances(), instances, claims),
                userId.isPresent() ? userId.flatMap(claims::text) : most.userId(),
                channelId.isPresent() ? channelId.flatMap(claims::text) : most.channelId(), most.speaksForOthers(),
                most.callbacks()));
    }

    /// A name that no other subject or entry has: a name of an entry has no `.`, and a plain subject no `~`.
    private String name(Claims claims) {
        String subject = claims.text("sub").orElseThrow();
        return most.entry() + "." + (subject.matches(PLAIN)
                ? subject
                : Digests.sha256(subject).replace("sha256:", "~"));
    }

    /// Those of the entry's scopes that the token has, in `scope` (RFC 9068) or `scp`.
    private Set<Scope> scopes(Claims claims) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String text : claims.texts(claims.has("scope") ? "scope" : "scp"))
            Arrays.stream(text.split(" ")).flatMap(word -> Scope.of(word).stream()).forEach(scopes::add);
        scopes.retainAll(most.scopes());
        return scopes;
    }

    private static Names narrowed(Names names, Optional<String> claim, Claims claims) {
        return claim.isEmpty() ? names : names.and(claims.texts(claim.get()));
    }
}
