package dev.toolfleet.tool;

/// A [ToolModule] whose calls act for a person, with tokens of the Tool's OAuthApp.
///
/// **Threads.** As [ToolModule#configure].
public interface Authorized {
    /// Receives the source of tokens. Called once, after [ToolModule#configure] and before [ToolModule#handlers].
    void tokens(TokenSource source);
}
