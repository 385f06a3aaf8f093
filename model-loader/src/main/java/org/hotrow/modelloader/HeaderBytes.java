package org.hotrow.modelloader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a header, read from its file piece by piece and not beyond its end. */
final class HeaderBytes extends InputStream {
    private final FileChannel channel;
    private final long end;
    private long position;
    private byte lastInk = ' ';

    /** The bytes [{@code begin}, {@code end}) of the file. */
    HeaderBytes(FileChannel channel, long begin, long end) {
        this.channel = channel;
        this.position = begin;
        this.end = end;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int wanted = (int) Math.min(length, end - position);
        int count = wanted == 0 ? -1 : channel.read(ByteBuffer.wrap(target, offset, wanted), position);
        for (int i = 0; i < count; i++) {
            if (target[offset + i] != ' ') {
                lastInk = target[offset + i];
            }
        }
        position += Math.max(count, 0);
        return count;
    }

    /** The last byte read so far that is not a space. */
    byte lastInk() {
        return lastInk;
    }
}
