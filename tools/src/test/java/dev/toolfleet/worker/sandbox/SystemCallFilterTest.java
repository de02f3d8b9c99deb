package dev.toolfleet.worker.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.worker.sandbox.DeniedCalls.Architecture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The filter's program, run by a small machine that does what the kernel's does.
class SystemCallFilterTest {
    private static final int X32 = 0x4000_0000;
    private static final int HIGHEST_NUMBER = 600;

    static Stream<Architecture> machines() {
        return Stream.of(Architecture.X86_64, Architecture.AARCH64);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyCallOfTheListIsDeniedAndEveryOtherIsAllowed(Architecture machine) {
        Set<Integer> judged = new HashSet<>(DeniedCalls.numbers(machine));
        assertThat(judged).hasSizeGreaterThan(50);
        DeniedCalls.byName(machine).forEach((name, number) -> assertThat(verdict(machine, number, 0)).as(name)
                .isEqualTo(SystemCallFilter.EPERM));

        judged.addAll(List.of(machine.clone3(), machine.oldClone(), machine.socket(), machine.ptrace(),
                machine.personality()));
        for (int number = 0; number < HIGHEST_NUMBER; number++)
            if (!judged.contains(number))
                assertThat(verdict(machine, number, 0)).as("call %d", number).isEqualTo(SystemCallFilter.ALLOW);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void noNamespaceIsMadeByClone(Architecture machine) {
        for (int flag : List.of(0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000))
            assertThat(verdict(machine, machine.oldClone(), flag | 17)).isEqualTo(SystemCallFilter.EPERM);
        int thread = 0x3d0f00;
        for (int flags : List.of(17, 0x4111, thread))
            assertThat(verdict(machine, machine.oldClone(), flags)).isEqualTo(SystemCallFilter.ALLOW);
        assertThat(verdict(machine, machine.clone3(), 0)).isEqualTo(SystemCallFilter.ENOSYS);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void socketsOfTheHypervisorAndTheKernelsCryptographyAreDenied(Architecture machine) {
        for (int family : List.of(1, 2, 10, 16, 17))
            assertThat(verdict(machine, machine.socket(), family)).isEqualTo(SystemCallFilter.ALLOW);
        for (long family : List.of(38L, 40L, 40L | 1L << 32))
            assertThat(verdict(machine, machine.socket(), family)).isEqualTo(SystemCallFilter.EPERM);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void onlyWhatAProgramStartsItselfCanBeTraced(Architecture machine) {
        for (int allowed : List.of(0, 7, 0x4200))
            assertThat(verdict(machine, machine.ptrace(), allowed)).isEqualTo(SystemCallFilter.ALLOW);
        for (int attaching : List.of(16, 0x4206))
            assertThat(verdict(machine, machine.ptrace(), attaching)).isEqualTo(SystemCallFilter.EPERM);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void onlyTheUsualPersonalitiesCanBeHad(Architecture machine) {
        for (int usual : List.of(0, 8, 0x20000, 0x20008, -1))
            assertThat(verdict(machine, machine.personality(), usual)).isEqualTo(SystemCallFilter.ALLOW);
        for (int other : List.of(1, 0x40000, 0x400000, 6))
            assertThat(verdict(machine, machine.personality(), other)).isEqualTo(SystemCallFilter.EPERM);
    }

    @Test
    void theNumbersOfTheX32AbiAreDenied() {
        for (int number : List.of(0, 1, 56, 250, 512, 547))
            assertThat(verdict(Architecture.X86_64, number | X32, 0)).isEqualTo(SystemCallFilter.EPERM);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyCallOfAnotherArchitectureIsDenied(Architecture machine) {
        int i386 = 0x4000_0003;
        int arm = 0x4000_0028;
        int other = (machine.equals(Architecture.X86_64) ? Architecture.AARCH64 : Architecture.X86_64).audit();
        for (int foreign : List.of(i386, arm, other, 0))
            for (int number : List.of(0, 1, 56, 220, 250))
                assertThat(run(program(machine), number, foreign, 0)).isEqualTo(SystemCallFilter.EPERM);
    }

    @Test
    void aMachineWhoseNumbersAreNotKnownHasNoFilter() {
        assertThat(SystemCallFilter.of("riscv64")).isEmpty();
        assertThat(SystemCallFilter.of("amd64")).isPresent();
        assertThat(SystemCallFilter.of("aarch64")).isPresent();
    }

    private static int verdict(Architecture machine, int number, long argument) {
        return run(program(machine), number, machine.audit(), argument);
    }

    private static byte[] program(Architecture machine) {
        String name = machine.equals(Architecture.X86_64) ? "amd64" : "aarch64";
        return SystemCallFilter.of(name).orElseThrow().bytes();
    }

    /// Runs a program over `struct seccomp_data`.
    private static int run(byte[] program, int number, int architecture, long argument) {
        ByteBuffer code = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN).putInt(number).putInt(architecture)
                .putLong(0).putLong(argument);
        int accumulator = 0;
        for (int at = 0; at < program.length; at += 8) {
            int value = code.getInt(at + 4);
            int whenTrue = Byte.toUnsignedInt(code.get(at + 2));
            int whenFalse = Byte.toUnsignedInt(code.get(at + 3));
            int word = accumulator;
            switch (code.getShort(at)) {
                case 0x20 -> accumulator = data.getInt(value);
                case 0x15 -> at += 8 * (word == value ? whenTrue : whenFalse);
                case 0x35 -> at += 8 * (Integer.compareUnsigned(word, value) >= 0 ? whenTrue : whenFalse);
                case 0x45 -> at += 8 * ((word & value) != 0 ? whenTrue : whenFalse);
                case 0x06 -> {
                    return value;
                }
                default -> throw new AssertionError("unknown instruction at " + at);
            }
        }
        throw new AssertionError("the program does not end");
    }
}
