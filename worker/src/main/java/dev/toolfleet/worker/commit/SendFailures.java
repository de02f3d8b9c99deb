package dev.toolfleet.worker.commit;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.jspecify.annotations.Nullable;

/// What a failed send says of the record and of the topic. Pure.
final class SendFailures {

    private SendFailures() {}

    /// The record will never be written, whoever tries.
    static boolean isRefusal(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (saysNo(cause))
                return true;
        }
        return false;
    }

    private static boolean saysNo(Throwable failure) {
        return switch (failure) {
            case RecordTooLargeException _,RecordBatchTooLargeException _,SerializationException _,InvalidRecordException _,CorruptRecordException _,PolicyViolationException _,UnsupportedForMessageFormatException _ ->
                true;
            default -> false;
        };
    }

    /// The clock of this machine is further from the broker's than the topic bears: the record will be written once that is
    /// mended.
    static boolean isOfTheClock(Throwable failure) {
        return failure instanceof InvalidTimestampException;
    }

    /// The member's generation has changed: the same transaction goes with the next one.
    static boolean isMembershipChange(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case CommitFailedException _,FencedInstanceIdException _,UnknownMemberIdException _,IllegalGenerationException _,RebalanceInProgressException _ -> {
                    return true;
                }
                default -> {
                }
            }
        }
        return false;
    }

    /// The topic cannot be written now: nobody leads the partition, too few replicas are in sync, it is not there, or
    /// not for us.
    static boolean isUnreachable(Throwable failure) {
        return failure instanceof RetriableException || failure instanceof TopicAuthorizationException;
    }
}
