/// `toolfleet demo`: an agent does a real job, and every call and result is shown as it happens.
@NullMarked
package dev.toolfleet.cli.demo;

import org.jspecify.annotations.NullMarked;
