package dev.toolfleet.worker.assignment;

/// Where a call was read: its partition and offset on `tool.call`, and the epoch of the assignment under which it was.
///
/// @param partition the partition number, which everything derived from the call follows
/// @param epoch grows with every assignment in this process
/// @param offset the record's offset
public record Position(int partition, long epoch, long offset) {}
