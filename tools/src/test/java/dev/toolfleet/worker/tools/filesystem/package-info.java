/// Tests.
@NullMarked
package dev.toolfleet.worker.tools.filesystem;

import org.jspecify.annotations.NullMarked;
