package dev.toolfleet.bundle.yaml;

import java.util.List;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Problem;

/// Result of reading a folder: every readable resource, and a problem for each unreadable part.
public record LoadResult(Bundle bundle, List<Problem> problems) {}
