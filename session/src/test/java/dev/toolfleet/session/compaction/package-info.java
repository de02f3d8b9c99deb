@NullMarked
package dev.toolfleet.session.compaction;

import org.jspecify.annotations.NullMarked;
