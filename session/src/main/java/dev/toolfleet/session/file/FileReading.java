package dev.toolfleet.session.file;

import java.util.List;

import dev.toolfleet.session.transcript.Entry;

/// Content of a transcript's file.
///
/// @param entries the entries that could be read, in their order
/// @param bad the records that could not be read; the file keeps them
/// @param torn the number of unfinished records at the end, 0 or 1
/// @param unchecked the number of entries without a checksum
public record FileReading(List<Entry> entries, List<BadRecord> bad, int torn, int unchecked) {
    /// Freezes the lists.
    public FileReading {
        entries = List.copyOf(entries);
        bad = List.copyOf(bad);
    }

    /// Returns false when the file has a fault and nothing of it can be read.
    public boolean isRecoverable() {
        return !entries.isEmpty() || (bad.isEmpty() && torn == 0);
    }

    /// Record that could not be read.
    ///
    /// @param line its number in the file, from 1
    /// @param reason one clause
    public record BadRecord(int line, String reason) {}
}
