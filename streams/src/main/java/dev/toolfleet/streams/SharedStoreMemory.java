package dev.toolfleet.streams;

import java.util.Map;

import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/// Bounds the memory of all RocksDB stores of this process together, whatever their number: Kafka Streams gives each
/// store of each partition up to 50 MB of cache and 48 MB of write buffers of its own, outside the heap.
///
/// The bound is soft: a read or write that needs more gets it, rather than failing.
public final class SharedStoreMemory implements RocksDBConfigSetter {
    /// The bound of all stores: cached blocks, indexes and filters, and the write buffers.
    static final long BYTES = 64L << 20;
    /// The part of [#BYTES] that may be write buffers.
    static final long WRITE_BUFFER_BYTES = 32L << 20;
    /// Size of one allocation of a write buffer; a store that was written to takes at least one. RocksDB's own size is
    /// 1 MB. Otherwise: some tens of partitions fill the bound with nearly empty buffers, and each write flushes one.
    private static final long ARENA_BYTES = 64L << 10;

    /// The shared memory, made when the first store opens and kept until the process ends.
    private static final class Shared {
        private static final Cache BLOCKS;
        private static final WriteBufferManager WRITE_BUFFERS;

        static {
            RocksDB.loadLibrary();
            BLOCKS = new LRUCache(BYTES);
            WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, BLOCKS);
        }
    }

    /// Made by Kafka Streams.
    public SharedStoreMemory() {}

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        if (!(options.tableFormatConfig() instanceof BlockBasedTableConfig table))
            throw new IllegalStateException("store " + storeName + " has no block cache that could be bounded");
        // Without the second line, indexes and filters would come on top of the cache.
        table.setBlockCache(Shared.BLOCKS)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(Shared.WRITE_BUFFERS);
        options.setArenaBlockSize(ARENA_BYTES);
    }

    /// Closes nothing: other stores use the same memory.
    @Override
    public void close(String storeName, Options options) {}
}
