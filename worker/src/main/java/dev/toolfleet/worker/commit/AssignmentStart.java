package dev.toolfleet.worker.commit;

/// Start of an assignment.
///
/// @param calls start on `tool.call`
/// @param resumed start on `tool.call.resumed`
/// @param frontiers journals the assignment's frontier
/// @param alone whether the group's offsets differ, such as those of a topic that was made anew. Then the first
/// transaction replaces them and holds no outcome. Otherwise: its end is unknown, the old offsets are read back, and
/// the outcomes below them count as published
/// @param stored whether the group has an offset of the calls
public record AssignmentStart(DoneOffsets calls, DoneOffsets resumed, FrontierNotes frontiers, boolean alone,
        boolean stored) {}
