package dev.toolfleet.worker.identity;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class ArrivalDecoderTest {
    private static final String CALL = "{\"id\":\"c\",\"name\":\"t__x\",\"instanceKey\":\"i\"}";
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void aCallCarriesWhereAndUnderWhichAssignmentItWasRead() {
        Arrival arrival = ArrivalDecoder.decode(record(CALL, null), 7);

        assertThat(arrival).isInstanceOf(Arrival.Call.class);
        assertThat(arrival.position()).isEqualTo(new Position(3, 7, 42));
        assertThat(arrival.instanceKey()).isEqualTo("i");
    }

    @Test
    void whatIsNoCallIsMalformedAndKeepsItsBytes() {
        Arrival arrival = ArrivalDecoder.decode(record("{", null), 7);

        assertThat(arrival).isInstanceOfSatisfying(Arrival.Malformed.class,
                malformed -> assertThat(malformed.raw().value()).isEqualTo("{".getBytes(UTF_8)));
        assertThat(arrival.instanceKey()).isEmpty();
        assertThat(ArrivalDecoder.decode(record(null, null), 7)).isInstanceOf(Arrival.Malformed.class);
    }

    /// It is copied into every record of the call, and one of a megabyte would fit into none.
    @Test
    void onlyAWellFormedTraceTravelsOn() {
        assertThat(trace(TRACE)).isEqualTo(TRACE);
        assertThat(trace("00-zz")).isNull();
        assertThat(trace("x".repeat(1_000_000))).isNull();
        assertThat(trace("01-" + TRACE.substring(3) + "-" + "x".repeat(1_000_000))).isNull();
        assertThat(trace(null)).isNull();
    }

    @Test
    void aStateTravelsWithItsTraceUnlessItIsTooLong() {
        assertThat(state(TRACE, "vendor=1,other=2")).isEqualTo("vendor=1,other=2");
        assertThat(state(TRACE, "v=" + "x".repeat(511))).isNull();
        assertThat(state(TRACE, "v=\u0007")).isNull();
        assertThat(((Arrival.Call) ArrivalDecoder.decode(record(CALL, null), 7)).trace()).isNull();
    }

    private static @Nullable String state(String parent, String state) {
        ConsumerRecord<byte[], byte[]> record = record(CALL, parent);
        record.headers().add("tracestate", state.getBytes(UTF_8));
        return requireNonNull(((Arrival.Call) ArrivalDecoder.decode(record, 7)).trace()).tracestate();
    }

    private static @Nullable String trace(@Nullable String header) {
        TraceContext trace = ((Arrival.Call) ArrivalDecoder.decode(record(CALL, header), 7)).trace();
        return trace == null ? null : trace.traceparent();
    }

    private static ConsumerRecord<byte[], byte[]> record(@Nullable String value, @Nullable String trace) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("calls", 3, 42, "i".getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8));
        if (trace != null)
            record.headers().add("traceparent", trace.getBytes(UTF_8));
        return record;
    }
}
