@NullMarked
package dev.toolfleet.worker.sandbox;

import org.jspecify.annotations.NullMarked;
