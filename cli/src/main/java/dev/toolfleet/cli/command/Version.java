package dev.toolfleet.cli.command;

import java.util.Objects;

import picocli.CommandLine.IVersionProvider;

/// The version of the jar, and of the JVM that runs it.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(),
                "(not packaged)");
        return new String[]{"toolfleet " + version + ", Java " + Runtime.version()};
    }
}
