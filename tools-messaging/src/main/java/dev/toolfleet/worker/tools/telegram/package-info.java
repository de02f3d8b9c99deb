/// The built-in Tool `telegram`.
@NullMarked
package dev.toolfleet.worker.tools.telegram;

import org.jspecify.annotations.NullMarked;
