package dev.toolfleet.gateway.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.toolfleet.gateway.access.Scope;
import org.jspecify.annotations.Nullable;

/// Operation of the API.
///
/// @param method in upper case; an operation that reads by GET is there by HEAD, too
/// @param path with `{name}` for its variable parts
/// @param id its name for generated clients
/// @param summary one sentence
/// @param scopes the principal needs one of these; empty for any principal
/// @param open true if no principal is needed
/// @param parameters of the query and the headers
/// @param body the schema of its body; null for none
/// @param bodyRequired false if the body may be left out
/// @param outcomes the successful answers
public record Operation(String method, String path, String id, String summary, List<Scope> scopes, boolean open,
        List<Parameter> parameters, @Nullable String body, boolean bodyRequired, List<Outcome> outcomes) {
    private static final String JSON = "application/json";

    /// Parameter of the query or a header.
    ///
    /// @param in `query` or `header`
    /// @param schema JSON Schema
    public record Parameter(String in, String name, String schema, String description) {}

    /// Successful answer.
    ///
    /// @param media its media type; empty for an answer without a body
    /// @param schema the name of its schema; empty for text
    public record Outcome(int status, String description, String media, String schema) {}

    /// Copies the lists.
    public Operation {
        scopes = List.copyOf(scopes);
        parameters = List.copyOf(parameters);
        outcomes = List.copyOf(outcomes);
    }

    static Operation of(String method, String path, String id, String summary) {
        return new Operation(method.toUpperCase(Locale.ROOT), path, id, summary, List.of(), false, List.of(), null,
                true,
                List.of());
    }

    Operation needs(Scope... anyOf) {
        return new Operation(method, path, id, summary, List.of(anyOf), open, parameters, body, bodyRequired, outcomes);
    }

    Operation withoutPrincipal() {
        return new Operation(method, path, id, summary, scopes, true, parameters, body, bodyRequired, outcomes);
    }

    Operation query(String name, String schema, String description) {
        return with(new Parameter("query", name, schema, description));
    }

    Operation header(Parameter header) {
        return with(header);
    }

    private Operation with(Parameter parameter) {
        return new Operation(method, path, id, summary, scopes, open, and(parameters, parameter), body, bodyRequired,
                outcomes);
    }

    Operation takes(String schema) {
        return new Operation(method, path, id, summary, scopes, open, parameters, schema, true, outcomes);
    }

    Operation mayTake(String schema) {
        return new Operation(method, path, id, summary, scopes, open, parameters, schema, false, outcomes);
    }

    Operation gives(int status, String description, String schema) {
        return gives(status, description, JSON, schema);
    }

    Operation gives(int status, String description, String media, String schema) {
        return new Operation(method, path, id, summary, scopes, open, parameters, body, bodyRequired,
                and(outcomes, new Outcome(status, description, media, schema)));
    }

    /// Returns the names of its query parameters.
    public List<String> queryNames() {
        return parameters.stream().filter(parameter -> parameter.in().equals("query")).map(Parameter::name).toList();
    }

    /// Returns the names of the variable parts of its path.
    public List<String> pathNames() {
        return Stream.of(path.split("/", -1)).filter(part -> part.startsWith("{"))
                .map(part -> part.substring(1, part.length() - 1)).toList();
    }

    private static <T> List<T> and(List<T> list, T more) {
        List<T> longer = new ArrayList<>(list);
        longer.add(more);
        return longer;
    }
}
