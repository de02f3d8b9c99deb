package dev.toolfleet.http;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Common parts of answers: validators, JSON, and the check of parameters.
public final class Answers {
    private static final String JSON = "application/json";
    private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");
    private static final int NOT_MODIFIED = 304;

    private Answers() {}

    /// Answers with 304 if the client already has the content with this digest.
    ///
    /// @return true if the client has it
    public static boolean notModified(Context ctx, String digest) {
        String tag = "\"" + digest + "\"";
        ctx.header("ETag", tag);
        // A client that keeps an answer must check it before each use: the next step may have another catalog.
        ctx.header("Cache-Control", "private, no-cache");
        boolean has = matches(ctx.header("If-None-Match"), tag);
        if (has)
            ctx.status(NOT_MODIFIED);
        return has;
    }

    /// Answers with JSON and its digest as validator, or with 304.
    public static void validated(Context ctx, JsonNode json) {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(json);
        if (!notModified(ctx, Digests.sha256(bytes)))
            ctx.contentType(JSON).result(bytes);
    }

    /// Answers with JSON that clients must not keep.
    public static void json(Context ctx, JsonNode json) {
        ctx.contentType(JSON).result(Json.MAPPER.writeValueAsBytes(json));
    }

    /// Rejects a request with a parameter that is not in `names`, so that a misspelt one is noticed, and one with a
    /// parameter that stands there twice, since only the first would count.
    public static void allowParameters(Context ctx, String... names) {
        List<String> allowed = Arrays.asList(names);
        Map<String, List<String>> parameters = ctx.queryParamMap();
        Set<String> unknown = new TreeSet<>(parameters.keySet());
        allowed.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "The parameter '" + unknown.iterator().next() + "' is unknown here; "
                            + (allowed.isEmpty() ? "there are none." : "known: " + String.join(", ", allowed) + ".")));
        }
        parameters.forEach((name, values) -> {
            if (values.size() > 1)
                throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST, "The parameter '" + name
                        + "' stands there " + values.size() + " times; give it once."));
        });
    }

    /// Compares as If-None-Match does (RFC 9110, 13.1.2): weakly.
    public static boolean matches(@Nullable String ifNoneMatch, String tag) {
        if (ifNoneMatch == null)
            return false;
        if (ifNoneMatch.strip().equals("*"))
            return true;
        for (Matcher tags = TAG.matcher(ifNoneMatch); tags.find();) {
            if (tags.group(1).equals(tag))
                return true;
        }
        return false;
    }
}
