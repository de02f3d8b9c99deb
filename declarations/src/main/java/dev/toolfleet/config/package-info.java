/// One `fleet.yaml`, overridden by environment, overridden by flags: typed, strict, printable without secrets.
@NullMarked
package dev.toolfleet.config;

import org.jspecify.annotations.NullMarked;
