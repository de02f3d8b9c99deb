package dev.toolfleet.bundle.yaml;

import dev.toolfleet.bundle.SourceMap;
import tools.jackson.databind.JsonNode;

/// One document as JSON, with the positions of its keys and values; `index` counts the file's documents from 0.
record YamlDocument(JsonNode value, SourceMap source, int index) {}
