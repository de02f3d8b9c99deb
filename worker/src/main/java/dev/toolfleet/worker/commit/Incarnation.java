package dev.toolfleet.worker.commit;

import org.jspecify.annotations.Nullable;

/// Ids of the logs that hold a partition's records. A topic that is deleted and made anew has another id.
///
/// @param calls Kafka's id of `tool.call`
/// @param resumed the same of `tool.call.resumed`; null when unknown
/// @param cluster the id of the Kafka cluster; null when unknown
public record Incarnation(String calls, @Nullable String resumed, @Nullable String cluster) {}
