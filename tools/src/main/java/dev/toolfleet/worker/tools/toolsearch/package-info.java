/// The built-in Tool `tool-search`.
@NullMarked
package dev.toolfleet.worker.tools.toolsearch;

import org.jspecify.annotations.NullMarked;
