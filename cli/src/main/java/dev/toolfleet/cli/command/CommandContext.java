package dev.toolfleet.cli.command;

import java.util.Map;

import dev.toolfleet.cli.terminal.Terminal;

/// Terminal and environment of a command.
///
/// @param environment as [System#getenv]
public record CommandContext(Terminal terminal, Map<String, String> environment) {}
