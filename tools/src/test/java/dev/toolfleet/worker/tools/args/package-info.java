/// Tests.
@NullMarked
package dev.toolfleet.worker.tools.args;

import org.jspecify.annotations.NullMarked;
