/// How configuration is read, overridden and refused.
@NullMarked
package dev.toolfleet.config;

import org.jspecify.annotations.NullMarked;
