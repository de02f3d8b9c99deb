/// What a record is and which call it asks for.
@NullMarked
package dev.toolfleet.worker.identity;

import org.jspecify.annotations.NullMarked;
