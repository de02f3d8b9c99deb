/// Runs a handler until its deadline and turns what comes of it into a reply.
@NullMarked
package dev.toolfleet.worker.execute;

import org.jspecify.annotations.NullMarked;
