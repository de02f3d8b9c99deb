/// Policy of calls: the gate and its rulings.
@NullMarked
package dev.toolfleet.worker.policy;

import org.jspecify.annotations.NullMarked;
