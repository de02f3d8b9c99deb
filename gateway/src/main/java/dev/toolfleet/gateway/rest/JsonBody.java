package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
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
    private static final int CHUNK = 8 * 1024;
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
        checkTexts("", object);
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
        int maxBytes = Math.min(routeBytes, Admitted.of(ctx).maxBody());
        long announced = ctx.req().getContentLengthLong();
        if (announced > maxBytes)
            throw tooLarge(maxBytes);
        long until = System.nanoTime() + within.toNanos();
        byte[] read = new byte[announced < 0 ? CHUNK : (int) announced + 1];
        int length = 0;
        try (InputStream in = ctx.req().getInputStream()) {
            for (int n; (n = in.read(read, length, read.length - length)) >= 0;) {
                length += n;
                if (length > maxBytes)
                    throw tooLarge(maxBytes);
                if (System.nanoTime() - until > 0)
                    throw Refusals.of(ProblemType.TOO_SLOW,
                            "The body has not come within " + within.toSeconds() + " s; send it faster.");
                if (length == read.length)
                    read = Arrays.copyOf(read, Math.min(maxBytes + 1, 2 * length));
            }
        } catch (IOException e) {
            throw Refusals.invalid("The body cannot be read: the connection ended, or was silent for too long.");
        }
        return Arrays.copyOf(read, length);
    }

    private static ProblemException tooLarge(int maxBytes) {
        return Refusals.of(ProblemType.TOO_LARGE, "The body has more than " + maxBytes
                + " bytes, the most that is accepted here. Keep large data elsewhere and send its address.");
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw Refusals.invalid("The body is not JSON: it is not encoded in UTF-8.");
        }
    }

    /// Checks the names and texts of a tree, which is at most 100 levels deep.
    static void checkTexts(String path, JsonNode node) {
        if (node.isString() && !isWellFormed(node.stringValue()))
            throw malformed(path);
        if (node.isDouble() && !Double.isFinite(node.doubleValue()))
            throw Refusals.invalid(ErrorText.limit("'" + path + "' holds a number beyond the range of a double.",
                    MAX_DETAIL));
        for (int i = 0; node.isArray() && i < node.size(); i++)
            checkTexts(path + "[" + i + "]", node.get(i));
        node.properties().forEach(field -> {
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (!isWellFormed(field.getKey()))
                throw malformed(path.isEmpty() ? "body" : path);
            checkTexts(name, field.getValue());
        });
    }

    private static ProblemException malformed(String path) {
        return Refusals.invalid(ErrorText.limit("'" + path + "' is not well-formed Unicode", MAX_DETAIL)
                + ": it holds half a surrogate pair.");
    }

    private static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
