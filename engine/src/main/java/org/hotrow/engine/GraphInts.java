package org.hotrow.engine;

import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Lists in one device array. */
record GraphInts(IntArray data, int width) implements IntRows {
    static GraphInts of(IntRows rows) {
        return (GraphInts) rows;
    }
}
