package dev.toolfleet.worker.tools.httpfetch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.worker.tools.args.JsonText;
import org.apache.hc.core5.http.Header;
import tools.jackson.databind.node.ObjectNode;

/// Answer to a fetch.
///
/// @param request the last one
/// @param headers names in lower case; the values of one name between commas
record FetchAnswer(Request request, int status, String statusText, Map<String, String> headers, Content content) {
    private static final int MAX_NAME_BYTES = 200;
    private static final int MAX_HEADER_BYTES = 4000;

    /// The headers as a result shows them.
    static Map<String, String> headers(List<Header> headers) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Header header : headers)
            values.merge(JsonText.cut(header.getName().toLowerCase(Locale.ROOT), MAX_NAME_BYTES),
                    header.getValue() == null ? "" : header.getValue(), (before, more) -> before + ", " + more);
        values.replaceAll((name, value) -> JsonText.cut(value, MAX_HEADER_BYTES));
        return values;
    }

    ObjectNode json(int redirects, long durationMs) {
        ObjectNode result = Json.MAPPER.createObjectNode().put("url", request.target().url())
                .put("method", request.method()).put("status", status).put("statusText", statusText);
        ObjectNode shown = result.putObject("headers");
        headers.forEach(shown::put);
        return result.put("body", content.body()).put("bodyEncoding", content.encoding())
                .put("truncated", content.truncated()).put("redirects", redirects).put("durationMs", durationMs);
    }
}
