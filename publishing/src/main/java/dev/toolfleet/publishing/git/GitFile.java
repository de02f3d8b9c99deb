package dev.toolfleet.publishing.git;

import java.io.IOException;
import java.io.InputStream;

import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;

/// File of a commit.
///
/// @param id its content
public record GitFile(ObjectId id, Type type) {
    /// A regular file with this content.
    ///
    /// @param size in bytes
    public static GitFile of(InputStream content, long size, boolean executable) throws IOException {
        try (ObjectInserter.Formatter formatter = new ObjectInserter.Formatter()) {
            return new GitFile(formatter.idFor(Constants.OBJ_BLOB, size, content),
                    executable ? Type.EXECUTABLE : Type.REGULAR);
        }
    }

    /// A link to anywhere.
    public static GitFile link() {
        return new GitFile(ObjectId.zeroId(), Type.LINK);
    }

    /// The id of a content.
    public static ObjectId id(byte[] content) {
        try (ObjectInserter.Formatter formatter = new ObjectInserter.Formatter()) {
            return formatter.idFor(Constants.OBJ_BLOB, content);
        }
    }

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
