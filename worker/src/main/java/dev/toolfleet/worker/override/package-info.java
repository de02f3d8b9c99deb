/// Ends calls from outside of their own threads: operators' orders, cancellations, deadlines outside of handlers.
@NullMarked
package dev.toolfleet.worker.override;

import org.jspecify.annotations.NullMarked;
