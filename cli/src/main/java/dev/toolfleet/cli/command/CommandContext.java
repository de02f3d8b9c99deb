package dev.toolfleet.cli.command;

import java.util.Map;

import dev.toolfleet.cli.terminal.Terminal;

/// What every command is given.
///
/// @param environment as [System#getenv]
public record CommandContext(Terminal terminal, Map<String, String> environment) {}
