@NullMarked
package dev.toolfleet.worker.tools.messaging;

import org.jspecify.annotations.NullMarked;
