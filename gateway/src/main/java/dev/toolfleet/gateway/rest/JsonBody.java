package dev.toolfleet.gateway.rest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import io.javalin.http.Context;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Body of a request: one JSON object in UTF-8, of bounded size, depth and time.
///
/// **Why.** The length is checked before a byte is read, and depth and repeated names while the text is parsed, so a bad
/// body costs at most its own permitted size. Lone surrogates are refused here because they have no UTF-8 form: the fleet
/// could not write them again.
final class JsonBody {
    private static final int MAX_DETAIL = 300;
    private static final String JSON = "application/json";

    private JsonBody() {}

    /// Reads an object with no other fields than these.
    ///
    /// @param routeBytes the largest body of this route; the request's own bound may be lower
    /// @param within the longest time from the first byte to the last
    /// @throws ProblemException naming the field, the value and the way out
    static ObjectNode read(Context ctx, int routeBytes, Duration within, Set<String> fields) {
        String text = utf8(bytes(ctx, routeBytes, within));
        JsonNode json;
        try {
            json = Json.STRICT.readTree(text);
        } catch (JacksonException e) {
            throw Refusals.invalid(ErrorText.limit("The body is not JSON: " + e.getOriginalMessage(), MAX_DETAIL));
        }
        if (!(json instanceof ObjectNode object))
            throw Refusals.invalid("The body must be a JSON object, not "
                    + json.getNodeType().name().toLowerCase(Locale.ROOT) + ".");
        BodyTree.check(object);
        Set<String> unknown = new TreeSet<>(object.propertyNames());
        unknown.removeAll(fields);
        if (!unknown.isEmpty())
            throw Refusals.invalid(ErrorText.limit("The field '" + unknown.iterator().next() + "' is unknown here",
                    MAX_DETAIL) + "; known: " + String.join(", ", new TreeSet<>(fields)) + ".");
        return object;
    }

    /// True if the request has a body.
    static boolean isPresent(Context ctx) {
        return ctx.req().getContentLengthLong() > 0 || ctx.header("Transfer-Encoding") != null;
    }

    private static void checkType(Context ctx) {
        String type = ctx.contentType();
        String media = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!media.equals(JSON))
            throw Refusals.of(ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Type is '" + ErrorText.limit(media, MAX_DETAIL) + "'; send " + JSON + ".");
    }

    /// Reads the bytes of a body of JSON.
    static byte[] bytes(Context ctx, int routeBytes, Duration within) {
        checkType(ctx);
        return BodyBytes.read(() -> ctx.req().getInputStream(), ctx.req().getContentLengthLong(),
                Math.min(routeBytes, Admitted.of(ctx).maxBody()), within);
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw Refusals.invalid("The body is not JSON: it is not encoded in UTF-8.");
        }
    }
}
