package dev.toolfleet.example.buildfarm;

import java.nio.file.Path;

/// The JDK that runs this.
final class Jdk {
    static final String HOME = System.getProperty("java.home");

    private Jdk() {}

    static String tool(String name) {
        return Path.of(HOME, "bin", name).toString();
    }
}
