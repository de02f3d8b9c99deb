package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// How an export's calls are run.
///
/// @param timeout of one call; empty means the worker's default
/// @param async present when the export declares that it may finish later
/// @param limits as declared; empty when there are none
/// @param retry as declared; empty when there is none
public record ExportExecution(Optional<Duration> timeout, Optional<AsyncSpec> async, ObjectNode limits,
        ObjectNode retry) {
    static ExportExecution of(ResourceJson json) {
        ResourceJson async = json.get("async");
        boolean declared = async.node().isBoolean() ? async.flag() : async.present();
        return new ExportExecution(json.get("timeout").duration(),
                declared ? Optional.of(AsyncSpec.of(async)) : Optional.empty(), json.get("limits").object(),
                json.get("retry").object());
    }
}
