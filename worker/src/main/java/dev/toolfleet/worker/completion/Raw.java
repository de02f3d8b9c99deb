package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// A record that came by handle, as it came: what a dead letter is made of.
///
/// @param source which topic it came from
/// @param origin topic, partition and offset
/// @param value at most [#MAX_BYTES] with the headers
@SuppressWarnings("ArrayRecordComponent") // never compared, and nobody changes the bytes
record Raw(Source source, String origin, byte[] value, List<RawHeader> headers) {
    /// The most that is taken in of one record: as Base64, beside some headers, it fits into a record of 3 MB.
    static final int MAX_BYTES = 2 << 20;
    /// A character of a header's name takes up to six in JSON, and its bytes four for three.
    private static final int ESCAPED = 6;

    /// Who speaks by handle.
    enum Source {
        /// `tool.completion`.
        COMPLETION,
        /// `tool.control`.
        CANCEL,
        /// `tool.decision`.
        DECISION
    }

    /// A header.
    @SuppressWarnings("ArrayRecordComponent") // as above
    record RawHeader(String name, byte[] value) {
        int size() {
            return ESCAPED * name.getBytes(StandardCharsets.UTF_8).length + value.length;
        }
    }

    Raw {
        headers = List.copyOf(headers);
    }

    /// Bytes that it takes in a store, about.
    int size() {
        return value.length + headers.stream().mapToInt(RawHeader::size).sum();
    }
}
