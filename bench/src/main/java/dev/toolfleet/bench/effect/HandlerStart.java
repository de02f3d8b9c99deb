package dev.toolfleet.bench.effect;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.bench.load.Kind;

/// One start of a handler, from its worker's file.
///
/// @param attempt which start of the call the worker said it is
/// @param worker the name of the worker process
/// @param begin before the effect
/// @param end after the effect, or when the handler was interrupted; empty when the worker died before
public record HandlerStart(String callId, String instance, Kind kind, int attempt, String worker, Instant begin,
        Optional<Instant> end) {}
