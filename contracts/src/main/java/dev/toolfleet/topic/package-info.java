/// The topics, their settings, and the headers of their records.
@NullMarked
package dev.toolfleet.topic;

import org.jspecify.annotations.NullMarked;
