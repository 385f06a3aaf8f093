package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;

/**
 * Records what each indexer of a model selects while it decodes, with the scores of all positions.
 *
 * <pre>
 * given tokens   | prefill, not recorded | one by one, recorded |
 * drawn tokens                          |                      | one by one, recorded, to the end |
 * </pre>
 *
 * The walk shows queries and lists, not scores, so those are computed here, from the keys as the cache has stored them.
 */
public final class SelectionRecorder implements AutoCloseable {
    private static final int CHUNK = 512;
    private static final double TEMPERATURE = 1;

    /** Takes what was recorded. */
    public interface Listener {
        /**
         * One step of one indexer.
         *
         * @param layer the anchor
         * @param selection ascending positions, then -1
         * @param scores of all positions of the step
         */
        void step(int layer, int[] selection, float[] scores);
    }

    private final Model model;
    private final CpuWeights weights;
    private final Workers workers;
    private final CacheFormat format = CacheFormat.of(KvDtype.FP8);

    /** Loads the weights of a model. */
    public SelectionRecorder(Model model) {
        this.model = model;
        weights = CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE);
        workers = new Workers(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Decodes {@code text} from {@code from} on, token by token, and then draws more, to {@code length} tokens.
     *
     * @return the given and the drawn tokens
     */
    public int[] record(int[] text, int from, int length, long seed, Listener listener) {
        Walked walked = new Walked();
        int[] ids = Arrays.copyOf(text, length);
        CacheConfig cache = CacheConfig.resident(model.config(), format, length);
        Sampler sampler = new Sampler(Sampling.at(TEMPERATURE, seed), text, model.candidates());
        try (ModelDevice device =
                        new ModelDevice(model, weights, workers, Lanes.vector(), format, cache, CHUNK, false, walked);
                ModelSession session = device.open(length)) {
            int at = 0;
            while (at < from) {
                int count = Math.min(CHUNK, from - at);
                session.step(ids, at, count);
                walked.keep(session, at, count);
                at += count;
            }
            for (; at < length; at++) {
                session.step(ids, at, 1);
                walked.keep(session, at, 1);
                walked.tell(listener);
                if (at + 1 >= text.length && at + 1 < length) {
                    CpuActivation logits = session.logits();
                    ids[at + 1] = sampler.next(logits.data(), logits.at(0));
                }
            }
        }
        return ids;
    }

    @Override
    public void close() {
        workers.close();
        weights.close();
    }

    /** Of one text: what each indexer has. */
    private final class Walked implements WalkProbe {
        private final Map<Integer, Anchor> anchors = new TreeMap<>();

        Walked() {
            model.config().indexer().anchors().forEach(layer -> anchors.put(layer, new Anchor()));
        }

        private Anchor anchor(int layer) {
            return Objects.requireNonNull(anchors.get(layer));
        }

        @Override
        public void indexQuery(int layer, Activation query, Activation headWeights) {
            anchor(layer).query = first(query);
            anchor(layer).headWeights = first(headWeights);
        }

        @Override
        public void selection(int layer, IntRows positions) {
            CpuInts lists = CpuInts.of(positions);
            anchor(layer).selection = Arrays.copyOfRange(lists.data(), lists.at(0), lists.at(1));
        }

        private float[] first(Activation rows) {
            CpuActivation r = CpuActivation.of(rows);
            return Arrays.copyOfRange(r.data(), r.at(0), r.at(0) + r.width());
        }

        void keep(ModelSession session, int from, int count) {
            anchors.forEach((layer, anchor) -> {
                for (int position = from; position < from + count; position++) {
                    float[] key = new float[model.config().indexer().headDim()];
                    session.readIndexKey(layer, position, key);
                    anchor.keys.add(key);
                }
            });
        }

        void tell(Listener listener) {
            anchors.forEach((layer, anchor) -> listener.step(layer, anchor.selection, anchor.scores()));
        }
    }

    /** One indexer: all keys, and of the last step query, weights and list. */
    private static final class Anchor {
        final List<float[]> keys = new ArrayList<>();
        float[] query = {};
        float[] headWeights = {};
        int[] selection = {};

        float[] scores() {
            float[] scores = new float[keys.size()];
            for (int position = 0; position < scores.length; position++) {
                scores[position] = score(keys.get(position));
            }
            return scores;
        }

        private float score(float[] key) {
            double scale = Math.pow(headWeights.length, -0.5) * Math.pow(key.length, -0.5);
            float score = 0;
            for (int head = 0; head < headWeights.length; head++) {
                float dot = 0;
                for (int i = 0; i < key.length; i++) {
                    dot += query[head * key.length + i] * key[i];
                }
                score += (float) (headWeights[head] * scale) * Math.max(0, dot);
            }
            return score;
        }
    }
}
