/// Transcripts of agents as entries and frames, and their repair.
@NullMarked
package dev.toolfleet.session.transcript;

import org.jspecify.annotations.NullMarked;
