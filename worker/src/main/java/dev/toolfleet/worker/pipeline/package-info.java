/// The order of stages for one call, and nothing else.
@NullMarked
package dev.toolfleet.worker.pipeline;

import org.jspecify.annotations.NullMarked;
