package org.hotrow.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hotrow.engine.Model;
import org.hotrow.engine.SelectionRecorder;

/**
 * Selections of steps that follow each other, with the index scores that led to them.
 *
 * <pre>
 * step     0 ... | warmUp ...       counted from there on
 * lists    k positions, ascending, then -1
 * scores   of all positions of the step
 * </pre>
 *
 * @param warmUp steps that fill a region and aren't counted
 */
record Recording(List<int[]> lists, List<float[]> scores, int warmUp) {
    /** Names of the demo model's goldens whose prompts are decoded, the most different ones first. */
    static final List<String> TEXTS = List.of("0_story_raw", "4_needle_1200", "2_chat_fact", "3_prose", "1_chat_story");

    /** Known tokens before this position are not recorded. */
    private static final int RECORDED_FROM = 256;

    /** So many steps of a stream. */
    static Recording of(SelectionStream stream, int steps, int warmUp) {
        Recording recording = new Recording(new ArrayList<>(), new ArrayList<>(), warmUp);
        for (int step = 0; step < steps; step++) {
            recording.lists.add(stream.next());
            recording.scores.add(stream.scores());
        }
        return recording;
    }

    /**
     * What each indexer of a model selects while it decodes a golden's prompt, and then what it draws, up to {@code length}
     * tokens. Steps of the first half of the positions aren't counted.
     *
     * @param model the demo model, from {@code folder}
     */
    static List<Recording> of(Model model, SelectionRecorder recorder, Path folder, int text, int length) {
        int[] prompt = prompt(folder, TEXTS.get(text));
        int from = Math.min(prompt.length - 1, RECORDED_FROM);
        int warmUp = model.config().contextLength() / 2 - from;
        Map<Integer, Recording> byLayer = new TreeMap<>();
        recorder.record(prompt, from, length, text + 1, (layer, selection, scores) -> {
            Recording of =
                    byLayer.computeIfAbsent(layer, l -> new Recording(new ArrayList<>(), new ArrayList<>(), warmUp));
            of.lists.add(selection);
            of.scores.add(scores);
        });
        return List.copyOf(byLayer.values());
    }

    /** The prompt of one golden. */
    static int[] prompt(Path folder, String text) {
        Path golden = folder.resolve("golden/golden_" + text + ".json");
        try {
            if (JsonTree.object(Files.readString(golden)).get("input_ids") instanceof List<?> ids) {
                return ids.stream().mapToInt(id -> Math.toIntExact((Long) id)).toArray();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException(golden + ": expected a list input_ids");
    }
}
