/// Tests of the pipeline's own parts.
@NullMarked
package dev.toolfleet.worker.pipeline;

import org.jspecify.annotations.NullMarked;
