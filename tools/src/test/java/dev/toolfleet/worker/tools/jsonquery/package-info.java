@NullMarked
package dev.toolfleet.worker.tools.jsonquery;

import org.jspecify.annotations.NullMarked;
