package dev.toolfleet.client;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.FleetTopicsException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Reads the states of handles, one after the other, so that a client with many questions reads one partition at a
/// time. Thread-safe.
final class HandleQuestions {
    private final Supplier<HandleReader> readers;
    private final Executor threads;
    private final SerialExecutor reading;
    private final Set<Question> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable HandleReader> reader = new AtomicReference<>();

    private static final class Question {
        private final String handle;
        private final CompletableFuture<HandleState> answer = new CompletableFuture<>();
        private final SerialExecutor serial;

        Question(String handle, Executor threads) {
            this.handle = handle;
            this.serial = new SerialExecutor(threads);
        }
    }

    HandleQuestions(Supplier<HandleReader> readers, Executor threads) {
        this.readers = readers;
        this.threads = threads;
        this.reading = new SerialExecutor(threads);
    }

    CompletionStage<HandleState> ask(String handle) {
        Question question = new Question(handle, threads);
        open.add(question);
        reading.post(() -> answer(question));
        return question.answer.minimalCompletionStage();
    }

    /// Ends every open question; `reason` makes the exception from the question's name in messages.
    void failAll(Function<String, ToolFleetClientException> reason) {
        for (Question question : open)
            fail(question, reason.apply("the state of handle '" + question.handle + "' was being read"));
        HandleReader now = reader.get();
        if (now != null)
            now.stop();
    }

    private void answer(Question question) {
        if (!open.contains(question))
            return;
        try (HandleReader now = readers.get()) {
            reader.set(now);
            // If it was ended meanwhile, that thread found no reader to stop.
            if (!open.contains(question))
                return;
            HandleState state = now.read(question.handle);
            open.remove(question);
            question.serial.post(() -> question.answer.complete(state));
        } catch (FleetTopicsException | KafkaException e) {
            fail(question, new ToolFleetClientException(Reason.TIMEOUT,
                    "the state of handle '" + question.handle + "' could not be read: " + e.getMessage(), e));
        } finally {
            reader.set(null);
        }
    }

    private void fail(Question question, ToolFleetClientException reason) {
        open.remove(question);
        question.serial.post(() -> question.answer.completeExceptionally(reason));
    }
}
