package dev.toolfleet.worker.poll;

/// Finds the start of an assigned partition, off the poll thread.
public interface TakeOvers {
    /// Begins a take-over; [PollLoop#adopt] receives its result.
    void begin(int partition, long epoch);

    /// Cancels a take-over whose result is no longer needed.
    void cancel(int partition, long epoch);
}
