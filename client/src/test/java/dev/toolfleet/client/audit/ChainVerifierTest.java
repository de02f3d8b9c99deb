package dev.toolfleet.client.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.client.audit.ChainFinding.Kind;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/// Logs that two writers wrote to one partition, broken in each way.
class ChainVerifierTest {
    /// A record without a place in a log.
    record Written(String value, RecordHeaders headers) {
        Written saying(String other) {
            return new Written(other, headers);
        }

        Written with(String header, String text) {
            RecordHeaders changed = new RecordHeaders(headers);
            changed.remove(header).add(header, text.getBytes(UTF_8));
            return new Written(value, changed);
        }
    }

    interface Tampering {
        void with(List<Written> log);
    }

    private static Written seal(AuditChain chain, String value, boolean end) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("ce_source", "s".getBytes(UTF_8));
        chain.seal(3, "k".getBytes(UTF_8), value.getBytes(UTF_8), headers, end);
        chain.committed();
        return new Written(value, headers);
    }

    /// a1 b1 a2 b2 a3 a4(end) b3
    private static List<Written> log() {
        AuditChain a = new AuditChain("a");
        AuditChain b = new AuditChain("b");
        return new ArrayList<>(List.of(seal(a, "a1", false), seal(b, "b1", false), seal(a, "a2", false),
                seal(b, "b2", false), seal(a, "a3", false), seal(a, "a4", true), seal(b, "b3", false)));
    }

    private static List<ConsumerRecord<byte[], byte[]>> placed(List<Written> log) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (Written each : log)
            records.add(new ConsumerRecord<>("tool.audit", 3, records.size(), 0, TimestampType.LOG_APPEND_TIME, 1, 1,
                    "k".getBytes(UTF_8), each.value().getBytes(UTF_8), each.headers(), Optional.empty()));
        return records;
    }

    private static List<String> found(List<Written> log, long from) {
        List<String> found = new ArrayList<>();
        ChainVerifier verifier = new ChainVerifier(Map.of(3, from),
                finding -> found.add(finding.kind() + " " + finding.writer() + "@" + finding.offset()));
        placed(log).stream().filter(record -> record.offset() >= from).forEach(verifier::accept);
        return found;
    }

    static Stream<Arguments> tamperings() {
        return Stream.of(arguments("untouched", (Tampering) log -> {}, List.of()),
                arguments("a value changed", (Tampering) log -> log.set(2, log.get(2).saying("a2!")),
                        List.of(Kind.CHANGED + " a@4")),
                arguments("a header changed", (Tampering) log -> log.set(2, log.get(2).with("ce_source", "t")),
                        List.of(Kind.CHANGED + " a@4")),
                arguments("a place in the chain changed",
                        (Tampering) log -> log.set(3, log.get(3).with(WireHeaders.AUDIT_PREVIOUS, "start")),
                        List.of(Kind.CHANGED + " b@3", Kind.CHANGED + " b@6")),
                arguments("removed in the middle", (Tampering) log -> log.remove(2), List.of(Kind.MISSING + " a@3")),
                arguments("the first removed", (Tampering) log -> log.remove(1), List.of(Kind.MISSING + " b@2")),
                arguments("a tail cut, its end left", (Tampering) log -> log.remove(4), List.of(Kind.MISSING + " a@4")),
                arguments("two changed places", (Tampering) log -> log.add(2, log.remove(4)),
                        List.of(Kind.MISSING + " a@2", Kind.ORDER + " a@3")),
                arguments("written twice", (Tampering) log -> log.add(5, log.get(4)), List.of(Kind.ORDER + " a@5")),
                arguments("inserted without a chain",
                        (Tampering) log -> log.add(4, new Written("x", new RecordHeaders())),
                        List.of(Kind.UNCHAINED + " @4")),
                arguments("inserted with a guessed chain",
                        (Tampering) log -> log.add(4, log.get(4).saying("x").with(WireHeaders.AUDIT_SEQUENCE, "3")),
                        List.of(Kind.ORDER + " a@5", Kind.CHANGED + " a@6")),
                arguments("inserted behind an end",
                        (Tampering) log -> log.add(6, log.get(5).with(WireHeaders.AUDIT_SEQUENCE, "5")),
                        List.of(Kind.AFTER_END + " a@6", Kind.CHANGED + " a@6")),
                arguments("chain headers that cannot be read",
                        (Tampering) log -> log.set(3, log.get(3).with(WireHeaders.AUDIT_SEQUENCE, "two")),
                        List.of(Kind.UNCHAINED + " @3", Kind.MISSING + " b@6")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tamperings")
    void everyTamperingIsSeen(String name, Tampering tampering, List<String> expected) {
        List<Written> log = log();
        tampering.with(log);

        assertThat(found(log, 0)).as(name).isEqualTo(expected);
    }

    @Test
    void whatLiesBeforeTheFirstOffsetIsNotAskedAbout() {
        assertThat(found(log(), 2)).isEmpty();
        List<Written> log = log();
        log.remove(4);
        assertThat(found(log, 2)).containsExactly(Kind.MISSING + " a@4");
    }

    @Test
    void recordsOfEarlierReleasesStandBeforeTheFirstChain() {
        List<Written> log = log();
        log.addFirst(new Written("old", new RecordHeaders()));

        assertThat(found(log, 0)).isEmpty();
    }

    /// No later record covers the last record of a chain: heads that are kept elsewhere do that.
    @Test
    void aTailThatIsCutWithItsEndIsAnOpenChain() {
        List<Written> log = log();
        log.subList(4, 7).clear();
        ChainVerifier verifier = new ChainVerifier(Map.of(3, 0L), finding -> {
            throw new AssertionError(finding);
        });
        placed(log).forEach(verifier::accept);

        assertThat(verifier.heads()).extracting(ChainHead::writer, ChainHead::sequence, ChainHead::closed)
                .containsExactly(tuple("a", 2L, false),
                        tuple("b", 2L, false));
    }

    @Test
    void anAbortedTransactionLeavesNoTraceInAChain() {
        AuditChain chain = new AuditChain("a");
        List<Written> log = new ArrayList<>();
        log.add(seal(chain, "1", false));
        RecordHeaders lost = new RecordHeaders();
        chain.seal(3, null, "aborted".getBytes(UTF_8), lost, false);
        chain.seal(4, null, "aborted too".getBytes(UTF_8), new RecordHeaders(), false);
        chain.aborted();
        log.add(seal(chain, "2", false));

        assertThat(found(log, 0)).isEmpty();
        assertThat(chain.partitions()).containsExactly(3);
    }

    @Test
    void moreWritersThanCanBeFollowedAreSaid() {
        List<Written> log = new ArrayList<>();
        AuditChain first = new AuditChain("first");
        log.add(seal(first, "1", false));
        for (int i = 0; i < 3; i++)
            log.add(seal(new AuditChain("w" + i), "1", false));
        log.add(seal(first, "2", false));
        List<Kind> kinds = new ArrayList<>();
        ChainVerifier verifier = new ChainVerifier(Map.of(3, 0L), finding -> kinds.add(finding.kind()), 3);
        placed(log).forEach(verifier::accept);

        assertThat(kinds).containsExactly(Kind.UNVERIFIED);
        assertThat(verifier.heads()).hasSize(3);
        assertThat(verifier.isIncomplete()).isTrue();
    }
}
