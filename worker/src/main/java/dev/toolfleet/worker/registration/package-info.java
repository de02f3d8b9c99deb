/// Declares on `tool.resource` what extensions publish, and renews its lease.
@NullMarked
package dev.toolfleet.worker.registration;

import org.jspecify.annotations.NullMarked;
