package dev.toolfleet.bundle;

import java.util.List;

/// Permission of agents to change their own bundle, from `policy.changesets` of a Swarm or `changesets` of an Agent.
///
/// @param enabled false unless it is declared
/// @param files patterns of the files that may change; none for all that other rules allow
/// @param event whether a commit is told to the agent by `swarmBundle.revisionChanged`
public record ChangesetTerms(boolean enabled, List<FilePattern> files, boolean event) {
    static final ChangesetTerms NONE = new ChangesetTerms(false, List.of(), true);

    /// Copies the list.
    public ChangesetTerms {
        files = List.copyOf(files);
    }

    static ChangesetTerms of(ResourceJson json) {
        ResourceJson event = json.get("emitRevisionChangedEvent");
        return new ChangesetTerms(json.get("enabled").flag(), json.get("allowed").get("files")
                .list(file -> pattern(file)), !event.present() || event.flag());
    }

    private static FilePattern pattern(ResourceJson file) {
        try {
            return FilePattern.of(file.text());
        } catch (IllegalArgumentException e) {
            throw file.wrong("a pattern for files such as tools/**");
        }
    }

    /// True if a file may change.
    public boolean allows(String path) {
        return files.isEmpty() || files.stream().anyMatch(pattern -> pattern.matches(path));
    }

    /// True if the file is named by its path.
    public boolean names(String path) {
        return files.stream().anyMatch(pattern -> pattern.isPath() && pattern.matches(path));
    }
}
