/// Write lock of a session for runtimes that keep transcripts in files.
@NullMarked
package dev.toolfleet.session.lock;

import org.jspecify.annotations.NullMarked;
