/// Decides which calls run, and journals their starts: duplicates, calls that earlier owners began, deaths of workers.
@NullMarked
package dev.toolfleet.worker.recovery;

import org.jspecify.annotations.NullMarked;
