/// The built-in Tool `json-query`.
@NullMarked
package dev.toolfleet.worker.tools.jsonquery;

import org.jspecify.annotations.NullMarked;
