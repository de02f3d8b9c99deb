@NullMarked
package dev.toolfleet.worker.agents;

import org.jspecify.annotations.NullMarked;
