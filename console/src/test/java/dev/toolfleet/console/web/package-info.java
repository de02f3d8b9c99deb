/// Tests of the requests of browsers.
@NullMarked
package dev.toolfleet.console.web;

import org.jspecify.annotations.NullMarked;
