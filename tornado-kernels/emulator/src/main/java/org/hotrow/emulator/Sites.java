package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.List;

/** The instructions of rewritten kernel classes that touch memory or other work-items, numbered from 1. */
final class Sites {
    /** Of accesses that no rewritten instruction announced. */
    static final int UNKNOWN = 0;

    private static final int MAX = 0xFFFF;

    /**
     * One instruction.
     *
     * @param source {@code File.java:line}
     * @param variable the local variable that an allocation is stored in, or ""
     */
    record Site(String source, String variable) {}

    private final List<Site> sites = new ArrayList<>(List.of(new Site("an unknown line", "")));

    int add(String source, String variable) {
        if (sites.size() > MAX) {
            throw new IllegalStateException("more than " + MAX + " instructions of kernels that touch memory");
        }
        sites.add(new Site(source, variable));
        return sites.size() - 1;
    }

    Site get(int number) {
        return sites.get(number);
    }

    int size() {
        return sites.size();
    }
}
