package dev.toolfleet.gateway.access;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.javalin.http.Context;

/// Header `WWW-Authenticate` of a refusal (RFC 6750, 3; RFC 9728, 5.1).
///
/// @param metadata the address of the resource's metadata; empty without principals that have JWTs
record Challenge(Optional<String> metadata) {
    /// The scopes that a client needs for a call.
    private static final List<Scope> USUAL = List.of(Scope.TOOLS_LIST, Scope.TOOLS_CALL);

    /// No credentials came.
    void missing(Context ctx) {
        write(ctx, "", "", USUAL);
    }

    /// The token is wrong.
    ///
    /// @param detail a clause of ASCII without `"` and `\`
    void invalid(Context ctx, String detail) {
        write(ctx, "invalid_token", detail, USUAL);
    }

    /// The token lacks a scope.
    void insufficient(Context ctx, Scope needed) {
        write(ctx, "insufficient_scope", "", List.of(needed));
    }

    private void write(Context ctx, String error, String detail, List<Scope> scopes) {
        StringBuilder header = new StringBuilder("Bearer realm=\"toolfleet\"");
        add(header, "error", error);
        add(header, "error_description", detail);
        add(header, "scope", scopes.stream().map(Scope::text).collect(Collectors.joining(" ")));
        add(header, "resource_metadata", metadata.orElse(""));
        ctx.header("WWW-Authenticate", header.toString());
    }

    private static void add(StringBuilder header, String name, String value) {
        if (!value.isEmpty())
            header.append(", ").append(name).append("=\"").append(value).append('"');
    }
}
