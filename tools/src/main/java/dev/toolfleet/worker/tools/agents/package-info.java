/// The built-in Tool `agents`.
@NullMarked
package dev.toolfleet.worker.tools.agents;

import org.jspecify.annotations.NullMarked;
