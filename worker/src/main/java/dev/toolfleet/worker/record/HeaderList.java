package dev.toolfleet.worker.record;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/// Headers of one record, in Kafka's form from the start. Not thread-safe.
///
/// **Why.** Each result has a dozen of them. A map of texts in between would cost more than the headers themselves.
public final class HeaderList {
    private final RecordHeaders headers = new RecordHeaders();

    HeaderList() {}

    /// Adds a header. Its name must be a new one.
    public HeaderList put(String name, String value) {
        return put(encoded(name, value));
    }

    /// Adds a header that may be that of other records, too.
    HeaderList put(Header header) {
        headers.add(header);
        return this;
    }

    /// Adds the headers that carry a trace context.
    ///
    /// @param context null for none
    HeaderList trace(@Nullable TraceContext context) {
        if (context == null)
            return this;
        put(WireHeaders.TRACEPARENT, context.traceparent());
        return context.tracestate() == null ? this : put(WireHeaders.TRACESTATE, context.tracestate());
    }

    Headers kafka() {
        return headers;
    }

    static Header encoded(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
