package dev.toolfleet.worker.pipeline;

import dev.toolfleet.worker.commit.Outcome;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Runs a callback when an outcome's fate is known, whatever it is.
record ReleasingSequel(Outcome.Sequel sequel, Runnable done) implements Outcome.Sequel {
    /// Returns the same outcome, with a listener.
    static Outcome of(Outcome outcome, Runnable done) {
        return new Outcome(outcome.position(), outcome.records(), new ReleasingSequel(outcome.sequel(), done));
    }

    @Override
    public void committed(long offset, long appendedAt) {
        sequel.committed(offset, appendedAt);
        done.run();
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> handOver() {
        done.run();
        return sequel.handOver();
    }

    @Override
    public @Nullable Outcome refused(Throwable cause) {
        Outcome instead = sequel.refused(cause);
        return instead == null ? null : of(instead, done);
    }
}
