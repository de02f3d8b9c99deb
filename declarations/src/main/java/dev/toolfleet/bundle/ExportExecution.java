package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

/// Execution settings of an export.
///
/// @param timeout of one call; empty means the worker's default
/// @param async present when the export declares that it may finish later
/// @param limits of its use at a time
/// @param retry of failed starts; empty means none
public record ExportExecution(Optional<Duration> timeout, Optional<AsyncSpec> async, ToolLimits limits,
        Optional<RetrySpec> retry) {
    static ExportExecution of(ResourceJson json) {
        ResourceJson async = json.get("async");
        ResourceJson retry = json.get("retry");
        boolean declared = async.node().isBoolean() ? async.flag() : async.present();
        return new ExportExecution(json.get("timeout").duration(),
                declared ? Optional.of(AsyncSpec.of(async)) : Optional.empty(), ToolLimits.of(json.get("limits")),
                retry.present() ? Optional.of(RetrySpec.of(retry)) : Optional.empty());
    }
}
