package org.hotrow.emulator;

import uk.ac.manchester.tornado.api.types.HalfFloat;

/** Registers of a lane as the arrays that kernels hand around. */
final class Fragment {
    private Fragment() {}

    static HalfFloat[] halves(int[] registers) {
        HalfFloat[] halves = new HalfFloat[2 * registers.length];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = new HalfFloat((short) (registers[i / 2] >> (16 * (i % 2))));
        }
        return halves;
    }

    static int[] registers(HalfFloat[] halves) {
        int[] registers = new int[halves.length / 2];
        for (int i = 0; i < halves.length; i++) {
            registers[i / 2] |= (halves[i].getHalfFloatValue() & 0xFFFF) << (16 * (i % 2));
        }
        return registers;
    }

    static byte[] bytes(int[] registers) {
        byte[] bytes = new byte[4 * registers.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (registers[i / 4] >> (8 * (i % 4)));
        }
        return bytes;
    }

    static int[] registers(byte[] bytes) {
        int[] registers = new int[bytes.length / 4];
        for (int i = 0; i < bytes.length; i++) {
            registers[i / 4] |= (bytes[i] & 0xFF) << (8 * (i % 4));
        }
        return registers;
    }
}
