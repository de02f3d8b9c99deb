/// Tests of who may call what.
@NullMarked
package dev.toolfleet.worker.policy;

import org.jspecify.annotations.NullMarked;
