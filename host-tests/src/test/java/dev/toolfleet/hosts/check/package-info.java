@NullMarked
package dev.toolfleet.hosts.check;

import org.jspecify.annotations.NullMarked;
