@NullMarked
package dev.toolfleet.worker.tools.httpfetch;

import org.jspecify.annotations.NullMarked;
