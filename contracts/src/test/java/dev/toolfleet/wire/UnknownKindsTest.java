package dev.toolfleet.wire;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownKindsTest {
    @Test
    void everyRecordCounts() {
        String kind = UUID.randomUUID().toString();
        long before = UnknownKinds.met();
        UnknownKinds.meet("PendingCall.Kind", kind);
        UnknownKinds.meet("PendingCall.Kind", kind);

        assertThat(UnknownKinds.met()).isGreaterThanOrEqualTo(before + 2);
    }

    @Test
    void aNameIsThatOfTheFieldsType() {
        assertThat(UnknownKinds.nameOf(PendingCall.Kind.class)).isEqualTo("PendingCall.Kind");
        assertThat(UnknownKinds.nameOf(ResultStatus.class)).isEqualTo("ResultStatus");
    }
}
