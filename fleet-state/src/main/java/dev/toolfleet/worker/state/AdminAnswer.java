package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/// Answer of an Admin client, waited for.
public final class AdminAnswer {
    private AdminAnswer() {}

    /// Returns the answer.
    ///
    /// @throws KafkaException if there is none, or not in time; of the same type as the broker's refusal
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
