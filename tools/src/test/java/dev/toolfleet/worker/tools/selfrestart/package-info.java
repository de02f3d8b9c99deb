@NullMarked
package dev.toolfleet.worker.tools.selfrestart;

import org.jspecify.annotations.NullMarked;
