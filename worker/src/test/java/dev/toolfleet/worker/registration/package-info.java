/// Registrations, and who writes them.
@NullMarked
package dev.toolfleet.worker.registration;

import org.jspecify.annotations.NullMarked;
