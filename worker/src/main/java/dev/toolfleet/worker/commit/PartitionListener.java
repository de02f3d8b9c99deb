package dev.toolfleet.worker.commit;

/// What the transaction loop tells whoever reads partitions. Called on the loop's thread; must not block.
public interface PartitionListener {
    /// The partition's metadata has no more room (`full`), or has again.
    void metadataFull(int partition, long epoch, boolean full);

    /// The loop has stopped for good and can publish nothing more.
    void failed(Throwable cause);
}
