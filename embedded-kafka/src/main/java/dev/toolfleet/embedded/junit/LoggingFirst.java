package dev.toolfleet.embedded.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.LoggerFactory;

/// Starts SLF4J before the first test.
///
/// **Why.** Test classes run side by side. While one thread starts SLF4J, the others are given substitutes of loggers,
/// which a test cannot cast to those of Logback.
///
/// **Threads.** Called by JUnit's launcher before it starts threads.
public final class LoggingFirst implements LauncherSessionListener {
    /// Called by JUnit.
    public LoggingFirst() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        LoggerFactory.getILoggerFactory();
    }
}
