@NullMarked
package dev.toolfleet.worker.tools.agents;

import org.jspecify.annotations.NullMarked;
