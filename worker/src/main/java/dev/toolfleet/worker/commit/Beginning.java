package dev.toolfleet.worker.commit;

/// Where an assignment begins.
///
/// @param calls where the partition of `tool.call` starts
/// @param resumed where that of `tool.call.resumed` does
/// @param frontiers journals how far it gets
public record Beginning(DoneOffsets calls, DoneOffsets resumed, FrontierNotes frontiers) {}
