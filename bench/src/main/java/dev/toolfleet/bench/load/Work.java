package dev.toolfleet.bench.load;

import java.time.Duration;

/// Work of a call.
///
/// @param takes how long its handler is busy
/// @param bytes length of the text in its answer
public record Work(Kind kind, Course course, Duration takes, int bytes) {
    /// A quick call with a short answer.
    public static Work of(Kind kind, Course course) {
        return new Work(kind, course, Duration.ZERO, 0);
    }

    /// The tool of the call.
    public String toolName() {
        return course.isAlwaysAsked() ? kind.askedToolName() : kind.toolName();
    }
}
