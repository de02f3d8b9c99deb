package dev.toolfleet.worker.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.worker.sandbox.DeniedCalls.Architecture;

/// Filter of system calls behind the walls: a program of classic BPF (seccomp(2)). It denies the calls of [DeniedCalls]
/// with EPERM, and all calls of another architecture or of the x32 ABI, whose numbers mean other calls. Pure.
///
/// @param instructions each in the eight bytes of a `struct sock_filter`
record SystemCallFilter(List<Instruction> instructions) {
    static final int ALLOW = 0x7fff_0000;
    static final int EPERM = 0x0005_0000 | 1;
    /// The C library then takes `clone`, whose flags can be read here.
    static final int ENOSYS = 0x0005_0000 | 38;
    private static final int BYTES = 8;

    /// A step of the program.
    ///
    /// @param whenTrue instructions to skip after a comparison that holds
    /// @param whenFalse instructions to skip after one that does not
    record Instruction(Operation operation, int whenTrue, int whenFalse, int value) {}

    /// The part of BPF that is needed, with its codes.
    enum Operation {
        /// Loads the word at an offset of `struct seccomp_data`.
        LOAD(0x20),
        /// Compares for equality.
        EQUAL(0x15),
        /// Compares without sign.
        AT_LEAST(0x35),
        /// Compares for a common bit.
        ANY_BIT(0x45),
        /// Ends with a verdict.
        RETURN(0x06);

        private final int code;

        Operation(int code) {
            this.code = code;
        }
    }

    /// The filter of a machine; empty where the numbers of its calls are not known.
    ///
    /// @param arch as Java calls it
    static Optional<SystemCallFilter> of(String arch) {
        return Architecture.of(arch).map(architecture -> new SystemCallFilter(new Assembler().program(architecture)));
    }

    /// As the kernel reads it, on machines that have the low byte first.
    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(instructions.size() * BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction each : instructions)
            bytes.putShort((short) each.operation.code).put((byte) each.whenTrue).put((byte) each.whenFalse)
                    .putInt(each.value);
        return bytes.array();
    }

    /// Puts instructions one after the other. A verdict follows its comparison directly, so no jump is longer than one
    /// block.
    private static final class Assembler {
        private static final int NUMBER = 0;
        private static final int ARCHITECTURE = 4;
        /// The low word of the first argument, the only one that the kernel reads of these calls.
        private static final int FIRST_ARGUMENT = 16;
        private static final int X32 = 0x4000_0000;
        private static final int NEW_NAMESPACES = 0x7e02_0000;
        private static final int ALG = 38;
        private static final int VSOCK = 40;
        private static final int ATTACH = 16;
        private static final int SEIZE = 0x4206;
        /// Linux with and without long inodes of old programs, and the question for the present one.
        private static final List<Integer> PERSONALITIES = List.of(0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff);

        private final List<Instruction> program = new ArrayList<>();

        List<Instruction> program(Architecture architecture) {
            load(ARCHITECTURE);
            program.add(new Instruction(Operation.EQUAL, 1, 0, architecture.audit()));
            end(EPERM);
            load(NUMBER);
            when(Operation.AT_LEAST, X32, EPERM);
            for (int number : DeniedCalls.numbers(architecture))
                when(Operation.EQUAL, number, EPERM);
            when(Operation.EQUAL, architecture.clone3(), ENOSYS);
            firstArgument(architecture.oldClone(), block -> block.when(Operation.ANY_BIT, NEW_NAMESPACES, EPERM),
                    ALLOW);
            firstArgument(architecture.socket(), block -> {
                block.when(Operation.EQUAL, VSOCK, EPERM);
                block.when(Operation.EQUAL, ALG, EPERM);
            }, ALLOW);
            firstArgument(architecture.ptrace(), block -> {
                block.when(Operation.EQUAL, ATTACH, EPERM);
                block.when(Operation.EQUAL, SEIZE, EPERM);
            }, ALLOW);
            firstArgument(architecture.personality(),
                    block -> PERSONALITIES.forEach(known -> block.when(Operation.EQUAL, known, ALLOW)), EPERM);
            end(ALLOW);
            return List.copyOf(program);
        }

        private void firstArgument(int number, Consumer<Assembler> cases, int otherwise) {
            Assembler block = new Assembler();
            block.load(FIRST_ARGUMENT);
            cases.accept(block);
            block.end(otherwise);
            program.add(new Instruction(Operation.EQUAL, 0, block.program.size(), number));
            program.addAll(block.program);
        }

        private void when(Operation comparison, int value, int verdict) {
            program.add(new Instruction(comparison, 0, 1, value));
            end(verdict);
        }

        private void load(int offset) {
            program.add(new Instruction(Operation.LOAD, 0, 0, offset));
        }

        private void end(int verdict) {
            program.add(new Instruction(Operation.RETURN, 0, 0, verdict));
        }
    }
}
