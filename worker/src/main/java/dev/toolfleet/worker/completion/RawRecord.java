package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Record that names a handle, unchanged: the material of a dead letter.
///
/// @param source its topic
/// @param origin topic, partition and offset
/// @param value at most [#MAX_BYTES] with the headers
@SuppressWarnings("ArrayRecordComponent") // never compared, and its bytes never change
record RawRecord(Source source, String origin, byte[] value, List<RawHeader> headers) {
    /// Most bytes of one record that are taken in: as Base64, beside some headers, it fits into a record of 3 MB.
    static final int MAX_BYTES = 2 << 20;
    /// Factor for header names: a character takes up to six in JSON, and their bytes take four for three.
    private static final int ESCAPED = 6;

    /// Topic of a record that names a handle.
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

    RawRecord {
        headers = List.copyOf(headers);
    }

    /// Approximate number of bytes that it takes in a store.
    int size() {
        return value.length + headers.stream().mapToInt(RawHeader::size).sum();
    }
}
