package dev.toolfleet.worker.commit;

/// Where an assignment begins.
///
/// @param calls where the partition of `tool.call` starts
/// @param resumed where that of `tool.call.resumed` does
/// @param frontiers journals how far it gets
/// @param alone whether the group's offsets say something else, such as those of a topic that was made anew. Then the first
///        transaction replaces them and holds no outcome. Otherwise: its end is unknown, the old offsets are read back,
///        and the outcomes below them count as published
/// @param stored whether the group has an offset of the calls
public record Beginning(DoneOffsets calls, DoneOffsets resumed, FrontierNotes frontiers, boolean alone,
        boolean stored) {}
