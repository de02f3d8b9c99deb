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

/// Classification of failed sends. Pure.
final class SendFailures {

    private SendFailures() {}

    /// True if the broker will never accept the record.
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

    /// True if this machine's clock is too far from the broker's for the topic: the record will be written once the
    /// clock is right.
    static boolean isOfTheClock(Throwable failure) {
        return failure instanceof InvalidTimestampException;
    }

    /// True if the member's generation has changed: the same transaction succeeds with the next one.
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

    /// True if the topic cannot be written now: the partition has no leader, too few replicas are in sync, the topic
    /// does not exist, or the worker is not authorized.
    static boolean isUnreachable(Throwable failure) {
        return failure instanceof RetriableException || failure instanceof TopicAuthorizationException;
    }
}
