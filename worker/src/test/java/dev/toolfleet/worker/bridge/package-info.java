@NullMarked
package dev.toolfleet.worker.bridge;

import org.jspecify.annotations.NullMarked;
