package dev.toolfleet.publishing.git;

/// Name and password, or token, for repositories by `https`.
public record GitCredentials(String username, String password) {
    /// Returns no secret.
    @Override
    public String toString() {
        return "GitCredentials[" + username + "]";
    }
}
