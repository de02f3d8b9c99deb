package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/// What an Admin client answers, waited for.
public final class AdminAnswer {
    private AdminAnswer() {}

    /// The answer.
    ///
    /// @throws KafkaException when there is none, or not in time; of the very type with which the broker refused
    public static <T> T of(KafkaFuture<T> asked, Duration atMost) {
        try {
            return asked.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException refused)
                throw refused;
            throw new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("no answer in " + atMost.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
