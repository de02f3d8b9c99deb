@NullMarked
package dev.toolfleet.cli.contract;

import org.jspecify.annotations.NullMarked;
