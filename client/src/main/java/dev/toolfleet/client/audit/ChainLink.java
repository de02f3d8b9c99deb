package dev.toolfleet.client.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/// Place of one record in its writer's chain, from the record's headers.
///
/// @param writer one writer, from its start to its end
/// @param sequence 1 for the writer's first record in the partition
/// @param previous digest of the writer's record before it there, or [#START]
/// @param end true for the writer's last record there
record ChainLink(String writer, long sequence, String previous, boolean end) {
    /// Replaces the digest in a writer's first record.
    static final String START = "start";
    private static final byte[] FORM = "toolfleet-audit-chain/1".getBytes(StandardCharsets.UTF_8);

    void addTo(Headers headers) {
        add(headers, WireHeaders.AUDIT_WRITER, writer);
        add(headers, WireHeaders.AUDIT_SEQUENCE, Long.toString(sequence));
        add(headers, WireHeaders.AUDIT_PREVIOUS, previous);
        if (end)
            add(headers, WireHeaders.AUDIT_END, "true");
    }

    private static void add(Headers headers, String name, String text) {
        headers.add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /// True if the headers name a writer or a place in a chain.
    static boolean isIn(Headers headers) {
        return headers.lastHeader(WireHeaders.AUDIT_WRITER) != null
                || headers.lastHeader(WireHeaders.AUDIT_SEQUENCE) != null
                || headers.lastHeader(WireHeaders.AUDIT_PREVIOUS) != null;
    }

    /// Reads the link of a record; empty when its headers do not form one.
    static Optional<ChainLink> of(Headers headers) {
        String writer = KafkaHeaders.text(headers, WireHeaders.AUDIT_WRITER);
        String sequence = KafkaHeaders.text(headers, WireHeaders.AUDIT_SEQUENCE);
        String previous = KafkaHeaders.text(headers, WireHeaders.AUDIT_PREVIOUS);
        if (writer == null || writer.isBlank() || sequence == null || previous == null
                || !sequence.matches("[1-9][0-9]{0,17}"))
            return Optional.empty();
        return Optional.of(new ChainLink(writer, Long.parseLong(sequence), previous,
                "true".equals(KafkaHeaders.text(headers, WireHeaders.AUDIT_END))));
    }

    /// Returns the digest of a whole record except its time and offset, which brokers assign: partition, key, value and
    /// all headers in their order, each with its length.
    static String digest(int partition, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            field(digest, FORM);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
            field(digest, key);
            field(digest, value);
            for (Header header : headers) {
                field(digest, header.key().getBytes(StandardCharsets.UTF_8));
                field(digest, header.value());
            }
            return "sha256:" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void field(MessageDigest digest, byte @Nullable [] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes == null ? -1 : bytes.length).array());
        if (bytes != null)
            digest.update(bytes);
    }
}
