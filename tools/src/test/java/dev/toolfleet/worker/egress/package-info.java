@NullMarked
package dev.toolfleet.worker.egress;

import org.jspecify.annotations.NullMarked;
