@NullMarked
package dev.toolfleet.worker.tools.telegram;

import org.jspecify.annotations.NullMarked;
