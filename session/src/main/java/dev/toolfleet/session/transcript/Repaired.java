package dev.toolfleet.session.transcript;

import java.util.List;

/// Repaired transcript.
///
/// @param entries the entries that a model may be shown; the examined list itself when nothing changed
/// @param report the findings
public record Repaired(List<Entry> entries, RepairReport report) {}
