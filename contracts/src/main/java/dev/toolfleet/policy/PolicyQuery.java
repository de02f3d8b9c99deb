package dev.toolfleet.policy;

/// One question: may this caller call this tool?
public record PolicyQuery(PolicyTool tool, PolicyCaller caller) {}
