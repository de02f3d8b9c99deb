/// Transcripts in files: JSON lines with checksums, and the layouts of Goondan and FinClaw.
@NullMarked
package dev.toolfleet.session.file;

import org.jspecify.annotations.NullMarked;
