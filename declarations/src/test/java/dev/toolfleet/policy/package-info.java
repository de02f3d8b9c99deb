@NullMarked
package dev.toolfleet.policy;

import org.jspecify.annotations.NullMarked;
