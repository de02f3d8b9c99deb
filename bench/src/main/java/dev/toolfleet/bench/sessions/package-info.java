/// `bench sessions`: how fast the session service is, beside a worker.
@NullMarked
package dev.toolfleet.bench.sessions;

import org.jspecify.annotations.NullMarked;
