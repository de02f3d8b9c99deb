/// How the demo is shown.
@NullMarked
package dev.toolfleet.cli.demo;

import org.jspecify.annotations.NullMarked;
