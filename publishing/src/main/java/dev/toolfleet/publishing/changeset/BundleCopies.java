package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.publishing.apply.ApplyException;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.publishing.git.Folders;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.resources.RevisionPlan;
import org.eclipse.jgit.lib.ObjectId;

/// Reads bundles of a repository, each from a copy of its files that lasts for the reading.
final class BundleCopies {
    private final GitRepository git;

    BundleCopies(GitRepository git) {
        this.git = git;
    }

    /// Bundle that was read.
    ///
    /// @param report what is wrong with it
    /// @param resources its resources with the digests of their files; none when the report has errors
    record Read(BundleReport report, List<RevisionPlan.Declared> resources) {
        Bundle bundle() {
            return report.bundle();
        }
    }

    /// Returns the folder of a bundle in the repository: the one of its name below the address's folder, else that
    /// folder itself.
    String folder(ObjectId commit, String bundle) throws GitException {
        String above = git.address().folder();
        String own = above.isEmpty() ? bundle : above + "/" + bundle;
        return git.files(commit, own).isEmpty() ? above : own;
    }

    /// Returns the files of a bundle in a commit.
    SortedMap<String, GitFile> files(ObjectId commit, String bundle) throws GitException {
        return git.files(commit, folder(commit, bundle));
    }

    /// Reads the bundle that consists of these files.
    ///
    /// @param name of the bundle, which its Package must have if there is one
    /// @throws ApplyException when it is valid and cannot be applied by that name
    Read read(String name, SortedMap<String, GitFile> files) throws GitException {
        try {
            Path folder = Files.createTempDirectory("toolfleet-bundle");
            try {
                git.copyTo(folder, files);
                BundleReport report = BundleCheck.check(folder);
                return new Read(report, report.valid() ? declared(report, name) : List.of());
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw ApplyException.failed("there is no room for a copy of the bundle " + name + ": " + e.getMessage(), e);
        }
    }

    private static List<RevisionPlan.Declared> declared(BundleReport report, String name) {
        String called = report.bundle().packageName().orElse(name);
        if (!called.equals(name))
            throw ApplyException.refused("its Package calls the bundle " + called + ", and it is " + name);
        try {
            return LocalBundle.of(report, name)
                    .declared();
        } catch (ApplyException e) {
            throw e.refused()
                    ? ApplyException.refused(String.valueOf(e.getMessage())
                            .replace(report.bundle().folder().toString(), name))
                    : e;
        }
    }
}
