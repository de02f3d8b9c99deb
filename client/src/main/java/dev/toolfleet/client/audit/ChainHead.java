package dev.toolfleet.client.audit;

/// Last record of a writer in a partition; it stands for all records of its chain there.
///
/// @param first sequence of the first record that was seen
/// @param sequence of the last one
/// @param offset of the last one
/// @param digest of the last one
/// @param closed true if the writer marked it as its last
public record ChainHead(int partition, String writer, long first, long sequence, long offset, String digest,
        boolean closed) {}
