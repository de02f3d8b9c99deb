package dev.toolfleet.publishing.changeset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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

    /// Files of a bundle in a commit.
    ///
    /// @param below the bundle's folder in the repository
    /// @param isTop true if that is the folder of all bundles
    /// @param files by their paths from there
    record Tree(String below, boolean isTop, SortedMap<String, GitFile> files) {
        /// Returns the files that are no links. Links belong to the repository's owner; no changeset sees them.
        SortedMap<String, GitFile> real() {
            SortedMap<String, GitFile> real = new TreeMap<>(files);
            real.values().removeIf(file -> file.type() == GitFile.Type.LINK);
            return real;
        }

        /// True if this path would make another folder the bundle's.
        boolean isFolderOf(String bundle, String path) {
            return isTop && path.startsWith(bundle + "/");
        }
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

    /// Finds a bundle: in the folder of its name below the address's folder, else at the top of that folder, if the
    /// Package there has its name.
    ///
    /// @throws GitException when it is in neither
    Tree tree(ObjectId commit, String bundle) throws GitException {
        String above = git.address().folder();
        String own = above.isEmpty() ? bundle : above + "/" + bundle;
        Tree named = new Tree(own, false, git.files(commit, own));
        if (!named.files().isEmpty())
            return named;
        Tree top = new Tree(above, true, git.files(commit, above));
        if (report(top.files(), Map.of()).bundle().packageName().filter(bundle::equals).isEmpty())
            throw new GitException(git.address() + " has no bundle " + bundle + ": neither a folder of that name nor a"
                    + " Package of that name at its top");
        return top;
    }

    /// Reads the bundle that consists of these files.
    ///
    /// @param name of the bundle, which its Package must have if there is one
    /// @param contents those that are not in the repository yet
    /// @throws ApplyException when it is valid and cannot be applied by that name
    Read read(String name, SortedMap<String, GitFile> files, Map<ObjectId, byte[]> contents) throws GitException {
        return copied(files, contents, folder -> {
            BundleReport report = BundleCheck.check(folder);
            return new Read(report, report.valid() ? declared(report, name) : List.of());
        });
    }

    private BundleReport report(SortedMap<String, GitFile> files, Map<ObjectId, byte[]> contents)
            throws GitException {
        return copied(files, contents, BundleCheck::check);
    }

    private interface Use<T> {
        T of(Path folder);
    }

    private <T> T copied(SortedMap<String, GitFile> files, Map<ObjectId, byte[]> contents, Use<T> use)
            throws GitException {
        try {
            Path folder = Files.createTempDirectory("toolfleet-bundle");
            try {
                git.copyTo(folder, files, contents);
                return use.of(folder);
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw ApplyException.failed("there is no room for a copy of a bundle: " + e.getMessage(), e);
        }
    }

    private static List<RevisionPlan.Declared> declared(BundleReport report, String name) {
        String called = report.bundle().packageName().orElse(name);
        if (!called.equals(name))
            throw ApplyException.refused("its Package calls the bundle " + called + ", and it is " + name);
        try {
            return LocalBundle.of(report, name).declared();
        } catch (ApplyException e) {
            throw e.refused()
                    ? ApplyException.refused(String.valueOf(e.getMessage())
                            .replace(report.bundle().folder().toString(), name))
                    : e;
        }
    }
}
