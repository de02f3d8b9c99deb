package dev.toolfleet.worker.tools.bash;

import java.time.Duration;

import dev.toolfleet.worker.sandbox.ConfinedProgram;

/// Program to run, with its time and its output bound.
///
/// @param timeout when to end it; always before the call's deadline
/// @param maxOutputBytes how much of stdout, and of stderr, to keep, in bytes of JSON
record Command(ConfinedProgram program, Duration timeout, int maxOutputBytes) {}
