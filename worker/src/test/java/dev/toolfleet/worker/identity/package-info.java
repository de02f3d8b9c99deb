/// Tests of how records become calls.
@NullMarked
package dev.toolfleet.worker.identity;

import org.jspecify.annotations.NullMarked;
