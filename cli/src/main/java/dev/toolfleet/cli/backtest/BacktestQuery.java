package dev.toolfleet.cli.backtest;

import java.time.Instant;

import dev.toolfleet.bundle.Glob;
import org.jspecify.annotations.Nullable;

/// Selection of the past calls that are judged.
///
/// @param since calls that were appended then or later, by their records' timestamps
/// @param agent of this agent; null for all
/// @param tool of tools that it selects by the called name; null for all
/// @param examples the most examples of each finding, the newest ones; 0 for none
public record BacktestQuery(Instant since, @Nullable String agent, @Nullable Glob tool, int examples) {
    boolean selects(PastCall call) {
        return (agent == null || agent.equals(call.agentName())) && (tool == null || tool.matches(call.name()));
    }
}
