package dev.toolfleet.console.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.console.web.Form;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Texts of queries and forms.
final class Field {
    private static final int MAX = 1_024;

    private Field() {}

    /// Returns a parameter of the query without blanks around it; null if it is absent or empty.
    ///
    /// @throws IllegalArgumentException when it is too long
    static @Nullable String query(Context ctx, String name) {
        return checked(name, ctx.queryParam(name), MAX);
    }

    /// Returns a field of a form, as [#query].
    static @Nullable String form(Context ctx, String name, int max) {
        return checked(name, Form.of(ctx).get(name), max);
    }

    /// Returns a field that a form must have.
    ///
    /// @throws IllegalArgumentException when it is absent, empty or too long
    static String needed(Context ctx, String name) {
        String text = form(ctx, name, MAX);
        if (text == null)
            throw new IllegalArgumentException("The field '" + name + "' is empty. Nothing was changed.");
        return text;
    }

    private static @Nullable String checked(String name, @Nullable String text, int max) {
        if (text == null || text.isBlank())
            return null;
        if (text.length() > max)
            throw new IllegalArgumentException("'" + name + "' has " + text.length() + " characters; at most " + max
                    + " are accepted.");
        return text.strip();
    }

    /// Returns a query of the parameters that have a value, with its question mark; empty without any.
    static String queryOf(Map<String, String> parameters) {
        String query = parameters.entrySet().stream().filter(one -> !one.getValue().isEmpty())
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    /// Returns a text as one part of a path.
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Returns a text as one word of a command line.
    static String quoted(String text) {
        return text.matches("[A-Za-z0-9._:/@%+=,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
