package dev.toolfleet.gateway.rest;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.json.Digests;
import dev.toolfleet.wire.ToolCall;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): a quoted string, or the same characters
/// without quotes.
///
/// **Contract.** The key of a call on the wire has the principal's name before it. Otherwise: one principal reads the
/// result of another by guessing its key.
final class IdempotencyKey {
    static final String HEADER = "Idempotency-Key";

    private IdempotencyKey() {}

    /// Returns the key for the call's record; null without the header.
    static @Nullable String of(Context ctx, Principal principal) {
        List<String> headers = Collections.list(ctx.req().getHeaders(HEADER));
        if (headers.isEmpty())
            return null;
        if (headers.size() > 1)
            throw Refusals.invalid("The header " + HEADER + " stands there " + headers.size()
                    + " times; send one key for a call.");
        String key = unquoted(headers.getFirst().strip());
        if (!ToolCall.isIdempotencyKey(key))
            throw Refusals.invalid("The header " + HEADER + " " + ToolCall.idempotencyKeyRule() + ", got "
                    + key.length() + ".");
        return scoped(key, principal);
    }

    /// Returns a key with the principal's name before it.
    static String scoped(String key, Principal principal) {
        String scoped = principal.name().isEmpty() ? key : principal.name() + "/" + key;
        return scoped.length() <= ToolCall.MAX_IDEMPOTENCY_KEY
                ? scoped
                : principal.name() + "/" + Digests.sha256(key.getBytes(StandardCharsets.UTF_8));
    }

    /// Reads a string of structured fields (RFC 8941, 3.3.3).
    private static String unquoted(String header) {
        if (!header.startsWith("\""))
            return header;
        StringBuilder key = new StringBuilder();
        for (int i = 1; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '"') {
                if (i == header.length() - 1)
                    return key.toString();
                break;
            }
            if (c == '\\') {
                i++;
                if (i == header.length() || (header.charAt(i) != '"' && header.charAt(i) != '\\'))
                    break;
                c = header.charAt(i);
            }
            key.append(c);
        }
        throw Refusals.invalid("The header " + HEADER + " is no quoted string: end it with \", and write \\\" and \\\\"
                + " for these characters in it.");
    }
}
