@NullMarked
package dev.toolfleet.worker.tools.skills;

import org.jspecify.annotations.NullMarked;
