package dev.toolfleet.client.audit;

/// Last record of a writer in a partition, which stands for all records of its chain there.
///
/// @param first sequence of the first record that was seen
/// @param sequence of the last one
/// @param offset where the last one lies
/// @param digest of the last one
/// @param closed whether the writer says that it is its last
public record ChainHead(int partition, String writer, long first, long sequence, long offset, String digest,
        boolean closed) {}
