package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

import dev.toolfleet.bench.engine.ComparedCode;
import dev.toolfleet.bench.engine.ComparedTool;
import dev.toolfleet.bench.engine.RawMain;

/// Kind of engine that answers the calls of a run.
public enum Arm {
    /// A worker with everything on, and a tool that may run again.
    TOOLFLEET("toolfleet", "a worker, the tool is idempotent"),
    /// The same with a tool that must not run twice.
    JOURNALED("journaled", "a worker, the tool is neither read-only nor idempotent"),
    /// The same as the first with a tool whose results add labels.
    LABELLED("labelled", "a worker, the tool is idempotent and adds two labels"),
    /// The same as the first, with handlers in JavaScript.
    NODE("node", "a worker, the tool is idempotent and in JavaScript"),
    /// The same with handlers in Python.
    PYTHON("python", "a worker, the tool is idempotent and in Python"),
    /// One thread, one transaction for each poll.
    RAW("raw",
            "a loop of one thread that commits a transaction for each poll of at most " + RawMain.POLLED + " calls"),
    /// Confluent's parallel-consumer with transactions.
    CPC("cpc", "Confluent parallel-consumer 0.5.3.3, order KEY, transactional producer"),
    /// The same without: results may be there twice after a crash.
    CPC_ASYNC("cpc-async",
            "Confluent parallel-consumer 0.5.3.3, order KEY, asynchronous commits: not exactly once");

    private final String text;
    private final String what;

    Arm(String text, String what) {
        this.text = text;
        this.what = what;
    }

    /// Its name in options and tables.
    public String text() {
        return text;
    }

    /// One line about it.
    public String what() {
        return what;
    }

    /// True if it is a fleet.
    public boolean isFleet() {
        return switch (this) {
            case TOOLFLEET, JOURNALED, LABELLED, NODE, PYTHON -> true;
            case RAW, CPC, CPC_ASYNC -> false;
        };
    }

    ComparedCode code() {
        return switch (this) {
            case NODE -> ComparedCode.NODE;
            case PYTHON -> ComparedCode.PYTHON;
            case TOOLFLEET, JOURNALED, LABELLED, RAW, CPC, CPC_ASYNC -> ComparedCode.JAVA;
        };
    }

    String export() {
        return switch (this) {
            case JOURNALED -> ComparedTool.ONCE;
            case LABELLED -> ComparedTool.LABELLED;
            case TOOLFLEET, NODE, PYTHON, RAW, CPC, CPC_ASYNC -> ComparedTool.IDEMPOTENT;
        };
    }

    /// True if a measurement makes sense: with one call at a time, the loop answers as many a second as a sleep allows.
    boolean fits(Duration work) {
        return this != RAW || work.isZero();
    }

    /// The one of this name.
    ///
    /// @throws IllegalArgumentException naming those that there are
    public static Arm of(String text) {
        return Arrays.stream(values()).filter(arm -> arm.text.equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is nothing called '" + text
                        + "' to compare with; there is: "
                        + Arrays.stream(values()).map(Arm::text).collect(Collectors.joining(", "))));
    }
}
