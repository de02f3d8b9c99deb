package dev.toolfleet.worker.commit;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// Listener for the transaction loop's events. Called on the loop's thread; must not block.
public interface PartitionListener {
    /// Reason why no more calls of a partition should be read.
    enum Hold {
        /// Its commit metadata has no more room.
        METADATA_FULL,
        /// A topic to which its calls write cannot be written.
        QUARANTINED,
        /// The fleet was created with fewer partitions.
        UNEXPECTED,
        /// A record of it cannot be read.
        UNREADABLE
    }

    /// The partition is held (`on`), or released.
    void held(int partition, long epoch, Hold why, boolean on);

    /// Every call below the offset of `calls` is finished and committed, and so are those beyond it that its metadata
    /// names ([DoneOffsets]).
    void committed(int partition, long epoch, OffsetAndMetadata calls);

    /// The reader went back: the assignment reads another log. Its outcomes are published no more; it has to be given
    /// up and taken over anew.
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
