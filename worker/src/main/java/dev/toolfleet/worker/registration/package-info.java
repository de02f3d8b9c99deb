/// Registration of published tools: declares them on `tool.resource`, and renews their lease.
@NullMarked
package dev.toolfleet.worker.registration;

import org.jspecify.annotations.NullMarked;
