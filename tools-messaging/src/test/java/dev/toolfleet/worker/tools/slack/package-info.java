@NullMarked
package dev.toolfleet.worker.tools.slack;

import org.jspecify.annotations.NullMarked;
