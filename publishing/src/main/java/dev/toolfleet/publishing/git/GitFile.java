package dev.toolfleet.publishing.git;

import org.eclipse.jgit.lib.ObjectId;

/// File of a commit.
///
/// @param id its content
public record GitFile(ObjectId id, Type type) {
    /// Sort of a file. Other sorts that git has, such as submodules, are left as they are.
    public enum Type {
        /// Without a right to run it.
        REGULAR,
        /// With the right to run it.
        EXECUTABLE,
        /// Link; its content is the target.
        LINK
    }
}
