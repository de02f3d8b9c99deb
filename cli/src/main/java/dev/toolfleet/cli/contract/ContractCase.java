package dev.toolfleet.cli.contract;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Arguments of an export, and what comes of them.
///
/// @param line in the file, from 1
/// @param name by which a model calls the export
/// @param output the expected output; null for any
/// @param fails code of the expected error; empty if the call succeeds
/// @param slow true if the arguments keep the handler busy until it is interrupted
/// @param varies true if a repeated call may answer otherwise than the first
record ContractCase(int line, String name, ObjectNode args, @Nullable JsonNode output, Optional<String> fails,
        boolean slow, boolean varies) {}
