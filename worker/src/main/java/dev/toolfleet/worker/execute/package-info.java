/// Execution of handlers: runs a handler until its deadline and turns its value or exception into a reply.
@NullMarked
package dev.toolfleet.worker.execute;

import org.jspecify.annotations.NullMarked;
