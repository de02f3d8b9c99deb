/// Builds and runs the worker process.
@NullMarked
package dev.toolfleet.worker.app;

import org.jspecify.annotations.NullMarked;
