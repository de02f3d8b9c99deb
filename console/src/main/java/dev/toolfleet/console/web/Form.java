package dev.toolfleet.console.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.rest.BodyBytes;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Fields of a form that a browser has sent, read within bounds of size and time.
///
/// **Why.** The server's own reader takes parts of any size, also from visitors that have not signed in, and waits for
/// bytes as long as some come.
public final class Form {
    /// The largest form of a person, in bytes.
    public static final int MOST = 1024 * 1024;
    /// The largest form of a visitor, in bytes: a token.
    public static final int MOST_OF_VISITORS = 16 * 1024;
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final String MEDIA = "application/x-www-form-urlencoded";
    private static final String ATTRIBUTE = "toolfleet.form";

    private final Map<String, List<String>> fields = new HashMap<>();

    private Form(String body) {
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0)
                fields.computeIfAbsent(decoded(pair.substring(0, equals)), _ -> new ArrayList<>())
                        .add(decoded(pair.substring(equals + 1)));
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /// Reads the form of a request.
    ///
    /// @throws ProblemException when it is no form, too large, or comes too slowly
    /// @throws IllegalArgumentException when its text is not encoded as forms are
    public static Form read(Context ctx, int most) {
        String type = ctx.contentType();
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(MEDIA))
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "A form of type " + MEDIA + " is expected. Nothing was changed."));
        byte[] bytes = BodyBytes.read(() -> ctx.req().getInputStream(), ctx.req().getContentLengthLong(), most, WITHIN);
        Form form = parse(new String(bytes, StandardCharsets.UTF_8));
        ctx.attribute(ATTRIBUTE, form);
        return form;
    }

    /// Reads the fields of a body.
    ///
    /// @throws IllegalArgumentException when its text is not encoded as forms are
    public static Form parse(String body) {
        return new Form(body);
    }

    /// Returns the form that was read of this request.
    public static Form of(Context ctx) {
        Form form = ctx.attribute(ATTRIBUTE);
        if (form == null)
            throw new IllegalStateException("no form was read");
        return form;
    }

    /// Returns the first value of a field; null without one.
    public @Nullable String get(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.getFirst();
    }

    /// True if the form has the field, as a box that is ticked.
    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /// Returns all values of a field.
    public List<String> all(String name) {
        return List.copyOf(fields.getOrDefault(name, List.of()));
    }
}
