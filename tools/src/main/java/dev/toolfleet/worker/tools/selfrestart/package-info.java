/// The built-in Tool `self-restart`.
@NullMarked
package dev.toolfleet.worker.tools.selfrestart;

import org.jspecify.annotations.NullMarked;
