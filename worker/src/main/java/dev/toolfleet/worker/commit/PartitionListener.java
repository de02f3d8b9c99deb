package dev.toolfleet.worker.commit;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// What the transaction loop tells whoever reads partitions. Called on the loop's thread; must not block.
public interface PartitionListener {
    /// Why no more calls of a partition should be read.
    enum Hold {
        /// Its commit metadata has no more room.
        METADATA_FULL,
        /// Something that its calls write to cannot be written.
        QUARANTINED,
        /// The fleet was created with fewer partitions.
        UNEXPECTED,
        /// A record of it cannot be read.
        UNREADABLE
    }

    /// The partition is held (`on`), or no longer.
    void held(int partition, long epoch, Hold why, boolean on);

    /// Every call below the offset of `calls` is finished and committed, and of those beyond what its metadata says
    /// ([DoneOffsets]).
    void committed(int partition, long epoch, OffsetAndMetadata calls);

    /// The assignment was read from an offset on that it had read before: its log is another one. Nothing of it is
    /// published any more; it has to be given up and taken over anew.
    default void wentBack(int partition, long epoch) {}

    /// A transaction has ended.
    ///
    /// @param committed false when it is tried again, or its end is unknown
    default void ended(boolean committed, int records, long nanos) {}

    /// Another producer has taken one of this worker's transactional ids.
    void fenced();

    /// The loop has stopped for good and can publish nothing more.
    void failed(Throwable cause);
}
