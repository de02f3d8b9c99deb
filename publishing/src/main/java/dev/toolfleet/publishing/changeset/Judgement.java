package dev.toolfleet.publishing.changeset;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.publishing.git.GitFile;

/// Answer to the question whether a changeset may be committed.
///
/// @param outcome why not, or that there is nothing to do; empty if it may
/// @param changes what it changes
/// @param below the bundle's folder in the repository
/// @param files all files of the bundle with the changes
record Judgement(Optional<Outcome> outcome, Changes changes, String below, SortedMap<String, GitFile> files) {
    static Judgement of(Outcome outcome, Changes changes) {
        return new Judgement(Optional.of(outcome), changes, "", new TreeMap<>());
    }
}
