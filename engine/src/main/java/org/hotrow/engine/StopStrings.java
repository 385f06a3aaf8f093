package org.hotrow.engine;

import java.util.List;

/**
 * Ends a text at the first of some strings, also where one spans several pieces: text that may turn out to be the
 * beginning of a stop string is held back until that is decided.
 */
public final class StopStrings {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean hit;

    /**
     * Ends a text at the first of {@code stops}.
     *
     * @throws IllegalArgumentException if a stop string is empty
     */
    public StopStrings(List<String> stops) {
        if (stops.contains("")) {
            throw new IllegalArgumentException("a stop string is empty");
        }
        this.stops = List.copyOf(stops);
    }

    /** Adds a piece; returns what is certainly text. After a stop string there is none. */
    public String push(String piece) {
        if (hit) {
            return "";
        }
        held.append(piece);
        int stop = firstStop();
        if (stop >= 0) {
            hit = true;
            return take(stop);
        }
        return take(held.length() - longestBeginning());
    }

    /** Whether a stop string came. */
    public boolean hit() {
        return hit;
    }

    /** What was held back, once nothing can follow. */
    public String finish() {
        return hit ? "" : take(held.length());
    }

    private String take(int length) {
        String text = held.substring(0, length);
        held.delete(0, length);
        return text;
    }

    private int firstStop() {
        int first = -1;
        for (String stop : stops) {
            int at = held.indexOf(stop);
            if (at >= 0 && (first < 0 || at < first)) {
                first = at;
            }
        }
        return first;
    }

    /** Length of the longest end of the held text that a stop string begins with. */
    private int longestBeginning() {
        int longest = 0;
        for (String stop : stops) {
            for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
                if (held.indexOf(stop.substring(0, length), held.length() - length) >= 0) {
                    longest = length;
                }
            }
        }
        return longest;
    }
}
