package dev.toolfleet.gateway.readmodel;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Function;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.wire.ResultStatus;
import org.jspecify.annotations.Nullable;

/// Query of a request between replicas that has a [CallFilter].
final class FilterQuery {
    static final String INSTANCE = "instance";
    static final String AGENT = "agent";
    static final String TOOL = "tool";
    static final String USER = "user";
    static final String STAGE = "stage";
    static final String OPEN = "open";
    static final String STATUS = "status";
    static final String CODE = "code";
    static final String SINCE = "since";

    private FilterQuery() {}

    /// Returns the parameters; each begins with `&`.
    static String write(CallFilter filter) {
        StringBuilder query = new StringBuilder();
        add(query, INSTANCE, filter.instance());
        add(query, AGENT, filter.agent());
        add(query, TOOL, filter.tool());
        add(query, USER, filter.user());
        add(query, STAGE, filter.stage());
        add(query, OPEN, filter.open() ? "true" : null);
        add(query, STATUS, filter.status());
        add(query, CODE, filter.code());
        add(query, SINCE, filter.since());
        return query.toString();
    }

    private static void add(StringBuilder query, String name, @Nullable Object value) {
        if (value != null)
            query.append('&').append(name).append('=')
                    .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
    }

    /// Reads the parameters.
    ///
    /// @param parameter returns the decoded value of a parameter, or null
    /// @throws IllegalArgumentException for a value that is none
    static CallFilter read(Function<String, @Nullable String> parameter) {
        try {
            return new CallFilter(parameter.apply(INSTANCE), parameter.apply(AGENT),
                    value(parameter.apply(TOOL), Glob::of), parameter.apply(USER),
                    value(parameter.apply(STAGE), CallStage::valueOf), parameter.apply(OPEN) != null,
                    value(parameter.apply(STATUS), ResultStatus::valueOf), parameter.apply(CODE),
                    value(parameter.apply(SINCE), Instant::parse));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(SINCE + ": " + e.getMessage(), e);
        }
    }

    private static <T> @Nullable T value(@Nullable String text, Function<String, T> parse) {
        return text == null ? null : parse.apply(text);
    }
}
