package org.hotrow.emulator;

import java.util.List;

/** A matrix load: all lanes must reach it with the same tile and offset, after which each reads its own part. */
final class Convergence extends WarpOperation {
    private record Agreement(int tile, int offset) {}

    private final Agreement agreement;

    Convergence(Object tile, int offset) {
        agreement = new Agreement(System.identityHashCode(tile), offset);
    }

    @Override
    Object agreement() {
        return agreement;
    }

    @Override
    void exchange(List<WarpOperation> lanes) {}
}
