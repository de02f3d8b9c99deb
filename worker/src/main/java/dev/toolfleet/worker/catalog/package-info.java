/// What the model of a call's step may call.
@NullMarked
package dev.toolfleet.worker.catalog;

import org.jspecify.annotations.NullMarked;
