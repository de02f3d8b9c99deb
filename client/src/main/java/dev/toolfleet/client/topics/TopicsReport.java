package dev.toolfleet.client.topics;

import java.util.List;

/// Outcome of [FleetTopics#create].
///
/// @param created names of the topics that are new
/// @param existing names of the topics that were there and were left alone
public record TopicsReport(List<String> created, List<String> existing) {
    /// Keeps its own copies.
    public TopicsReport {
        created = List.copyOf(created);
        existing = List.copyOf(existing);
    }
}
