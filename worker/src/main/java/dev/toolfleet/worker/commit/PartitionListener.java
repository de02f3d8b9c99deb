package dev.toolfleet.worker.commit;

/// What the transaction loop tells whoever reads partitions. Called on the loop's thread; must not block.
public interface PartitionListener {
    /// Why no more calls of a partition should be read.
    enum Hold {
        /// Its commit metadata has no more room.
        METADATA_FULL,
        /// Something that its calls write to cannot be written.
        QUARANTINED
    }

    /// The partition is held (`on`), or no longer.
    void held(int partition, long epoch, Hold why, boolean on);

    /// Every call below `frontier` is finished and committed.
    void committed(int partition, long epoch, long frontier);

    /// Another producer has taken one of this worker's transactional ids.
    void fenced();

    /// The loop has stopped for good and can publish nothing more.
    void failed(Throwable cause);
}
