/// Decides who may call which tool (DESIGN 8): compiled once from the bundles, then asked for each call. Pure.
@NullMarked
package dev.toolfleet.policy;

import org.jspecify.annotations.NullMarked;
