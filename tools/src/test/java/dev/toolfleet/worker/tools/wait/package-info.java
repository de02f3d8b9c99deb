@NullMarked
package dev.toolfleet.worker.tools.wait;

import org.jspecify.annotations.NullMarked;
