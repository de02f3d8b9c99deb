/// Rules for the packages of this module.
@NullMarked
package dev.toolfleet.publishing;

import org.jspecify.annotations.NullMarked;
