/// The built-in Tool `slack`.
@NullMarked
package dev.toolfleet.worker.tools.slack;

import org.jspecify.annotations.NullMarked;
