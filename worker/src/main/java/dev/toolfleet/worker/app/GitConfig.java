package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitBundles;
import dev.toolfleet.publishing.git.GitCredentials;

/// Settings of git repositories.
///
/// @param changesets where agents' changesets are committed; empty for nowhere
/// @param signingKey the private key that signs what they make; empty for no signature
/// @param credentials for repositories by https; empty for none
public record GitConfig(Optional<GitAddress> changesets, Optional<Path> signingKey,
        Optional<GitCredentials> credentials) {
    /// No repository.
    public static final GitConfig NONE = new GitConfig(Optional.empty(), Optional.empty(), Optional.empty());

    static GitConfig of(Settings worker) {
        Settings changesets = worker.section("changesets");
        Settings git = worker.section("git");
        String repository = changesets.text("repository", "");
        String key = changesets.text("signingKey", "");
        String username = git.text("username", "");
        String password = git.text("password", "");
        if (username.isEmpty() != password.isEmpty())
            throw new ConfigException("worker.git has a username or a password, and not the other; set both or none");
        return new GitConfig(
                repository.isEmpty()
                        ? Optional.empty()
                        : Optional.of(address("worker.changesets.repository", repository)),
                key.isEmpty() ? Optional.empty() : Optional.of(Path.of(key)),
                username.isEmpty() ? Optional.empty() : Optional.of(new GitCredentials(username, password)));
    }

    /// The files of bundles in a repository.
    GitBundles bundles(String address) {
        return new GitBundles(address("worker.bundles", address), credentials);
    }

    private static GitAddress address(String key, String text) {
        try {
            return GitAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key + ": " + e.getMessage());
        }
    }
}
