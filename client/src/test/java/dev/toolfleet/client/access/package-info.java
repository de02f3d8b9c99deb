@NullMarked
package dev.toolfleet.client.access;

import org.jspecify.annotations.NullMarked;
