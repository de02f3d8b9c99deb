package dev.toolfleet.publishing.changeset;

import java.util.List;

import dev.toolfleet.bundle.BundleProblem;

/// Outcome of a commit.
sealed interface Outcome {
    /// True if the changeset's folder goes with it.
    boolean ends();

    /// It is on the branch and applied; or there was nothing to commit.
    ///
    /// @param revision of the bundle; 0 when nothing changed
    record Done(String baseRef, String newRef, long revision, Changes changes) implements Outcome {
        @Override
        public boolean ends() {
            return true;
        }
    }

    /// It may not be committed.
    ///
    /// @param code `POLICY_VIOLATION`, `CHANGESET_NOT_FOUND`, `BUNDLE_REFUSED`, or the code of the first problem
    /// @param files that break a rule, each with the reason
    /// @param problems of the bundle that it would make
    record Rejected(String baseRef, String code, String message, List<String> files,
            List<BundleProblem> problems) implements Outcome {
        /// Copies the lists.
        public Rejected {
            files = List.copyOf(files);
            problems = List.copyOf(problems);
        }

        /// An invalid bundle can be mended where it lies; what is forbidden stays so.
        @Override
        public boolean ends() {
            return code.equals(Judge.VIOLATION);
        }
    }

    /// Others have changed the same files since it was opened.
    record Conflict(String baseRef, List<String> files) implements Outcome {
        /// Copies the list.
        public Conflict {
            files = List.copyOf(files);
        }

        @Override
        public boolean ends() {
            return false;
        }
    }
}
