package org.hotrow.emulator;

import uk.ac.manchester.tornado.api.types.HalfFloat;

/** Local tiles whose pieces change places so that eight rows fall into different banks; each is its own inverse. */
public final class Swizzle {
    private Swizzle() {}

    /** Byte at which a byte of a tile is: pieces of 16 bytes move, by 128 bytes. */
    public static int wide(int offset) {
        return offset ^ (((offset >> 7) & 7) << 4);
    }

    /** Byte at which a byte of a tile is: pieces of 8 bytes move, by 64 bytes. */
    public static int narrow(int offset) {
        return offset ^ (((offset >> 6) & 7) << 3);
    }

    /** Reads an element of a tile. */
    public static HalfFloat load(HalfFloat[] tile, int index) {
        Tracer.reads(tile, index);
        return tile[index];
    }

    /** Writes an element of a tile. */
    public static void store(HalfFloat[] tile, int index, HalfFloat value) {
        Tracer.writes(tile, index);
        tile[index] = value;
    }

    /** Reads an element of a tile. */
    public static byte load(byte[] tile, int index) {
        Tracer.reads(tile, index);
        return tile[index];
    }

    /** Writes an element of a tile. */
    public static void store(byte[] tile, int index, byte value) {
        Tracer.writes(tile, index);
        tile[index] = value;
    }
}
