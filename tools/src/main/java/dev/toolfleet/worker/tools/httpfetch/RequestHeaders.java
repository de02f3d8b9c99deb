package dev.toolfleet.worker.tools.httpfetch;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;

/// The headers of a request, names in lower case.
record RequestHeaders(Map<String, String> values) {
    private static final int MAX_HEADERS = 50;
    private static final int MAX_VALUE = 8000;
    private static final Pattern NAME = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]{1,100}");
    /// Printable Latin-1 and tabs: no line ends, with which a value could add headers or another request.
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\xa0-\\xff]*");
    /// Headers that frame the message or belong to the connection.
    private static final Set<String> OURS = Set.of("host", "content-length", "transfer-encoding", "connection",
            "keep-alive", "te", "trailer", "upgrade", "expect", "accept-encoding", "http2-settings");
    /// Headers that any server may see. All others may be secrets, whatever their names.
    private static final Set<String> HARMLESS = Set.of("accept", "accept-language", "cache-control", "content-type",
            "content-language", "pragma", "range", "user-agent");

    /// Reads the caller's headers.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS` for a text that cannot be a header, and for a header that the caller
    /// may not set
    static RequestHeaders of(Map<String, String> given) {
        if (given.size() > MAX_HEADERS)
            throw Arguments.invalid("'headers' has more than " + MAX_HEADERS + " entries");
        Map<String, String> values = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            check(name, lower, value);
            if (values.putIfAbsent(lower, value.strip()) != null)
                throw Arguments.invalid("'headers' names '" + lower + "' twice");
        });
        return new RequestHeaders(values);
    }

    /// With this header unless there is one of its name.
    RequestHeaders orElse(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.putIfAbsent(name, value);
        return new RequestHeaders(more);
    }

    /// Returns the headers that another origin may see: no credentials, cookies, keys.
    RequestHeaders forAnotherOrigin() {
        return only(HARMLESS::contains);
    }

    /// Without those that describe a body.
    RequestHeaders withoutBody() {
        return only(name -> !name.startsWith("content-"));
    }

    private RequestHeaders only(Predicate<String> wanted) {
        Map<String, String> fewer = new LinkedHashMap<>(values);
        fewer.keySet().removeIf(wanted.negate());
        return new RequestHeaders(fewer);
    }

    private static void check(String name, String lower, String value) {
        if (!NAME.matcher(lower).matches())
            throw Arguments.invalid("'headers' holds a name that is none: '" + name + "'");
        if (OURS.contains(lower) || lower.startsWith("proxy-"))
            throw Arguments.invalid("The header '" + name + "' cannot be set", "Leave it out; it is set as needed.");
        if (value.length() > MAX_VALUE || !VALUE.matcher(value).matches())
            throw Arguments.invalid("The value of the header '" + name + "' is longer than " + MAX_VALUE
                    + " characters or holds some that headers cannot have");
    }
}
