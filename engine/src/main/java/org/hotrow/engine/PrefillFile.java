package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.SafetensorsFile;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;
import org.hotrow.modelloader.TensorView;

/**
 * A finished prefill in a file, as {@link PrefillLayout} has it, checked for one model and cache format. Rows and keys are
 * mapped and read when a request gets its seat; nobody checks what they say.
 */
public final class PrefillFile implements AutoCloseable {
    private final Path file;
    private final SafetensorsFile tensors;
    private final PrefillLayout layout;
    private final int[] tokens;

    private PrefillFile(Path file, SafetensorsFile tensors, PrefillLayout layout, int[] tokens) {
        this.file = file;
        this.tensors = tensors;
        this.layout = layout;
        this.tokens = tokens;
    }

    /**
     * Opens a file for requests of a model.
     *
     * @throws RequestException if it is broken, or of another geometry or model
     */
    public static PrefillFile open(Path file, Model model, CacheFormat format) {
        return open(file, model, format, false);
    }

    /**
     * The same for a cache with drafts or without.
     *
     * @param drafting whether the cache has rows of the MTP layer, which the file must have then, and else must not
     * @throws RequestException if it is broken, or of another geometry or model
     */
    public static PrefillFile open(Path file, Model model, CacheFormat format, boolean drafting) {
        SafetensorsFile tensors;
        try {
            tensors = SafetensorsFile.open(file);
        } catch (ModelFormatException e) {
            throw new RequestException(Objects.requireNonNull(e.getMessage()), e);
        }
        try {
            PrefillLayout layout = new PrefillLayout(model, format, drafting);
            requireMetadata(tensors, layout);
            return new PrefillFile(file, tensors, layout, readTokens(tensors, layout));
        } catch (RuntimeException | Error e) {
            tensors.close();
            throw e;
        }
    }

    private static void requireMetadata(SafetensorsFile tensors, PrefillLayout layout) {
        for (Map.Entry<String, String> expected : layout.metadata().entrySet()) {
            String found = tensors.metadata().get(expected.getKey());
            if (expected.getValue().equals(found)) {
                continue;
            }
            String said = found == null ? "nothing" : ModelFormatException.quote(found);
            throw refused(
                    tensors.file(),
                    expected.getKey(),
                    "is " + said + ", expected \"" + expected.getValue() + "\""
                            + switch (expected.getKey()) {
                                case PrefillLayout.GEOMETRY ->
                                    "; pass the --kv-dtype and --index-dtype that it was exported with, and --speculative-tokens"
                                            + " if and only if it was (one more layer and anchor)";
                                case PrefillLayout.MODEL -> "; it is a prefill of another model";
                                default -> "; is it a file of hotrow export?";
                            });
        }
    }

    private static int[] readTokens(SafetensorsFile tensors, PrefillLayout layout) {
        int n = tokenCount(tensors, layout);
        for (Tensor expected : layout.tensors(n)) {
            TensorView found = tensor(tensors, expected.name());
            if (found.dtype() != expected.dtype() || !found.shape().equals(expected.shape())) {
                throw refused(
                        tensors.file(),
                        expected.name(),
                        "is " + found.dtype() + " " + found.shape() + ", expected " + expected.dtype() + " "
                                + expected.shape() + "; export it again");
            }
        }
        MemorySegment bytes = MemorySegment.ofArray(new byte[n * Integer.BYTES]);
        try {
            tensor(tensors, PrefillLayout.TOKENS).copyTo(0, bytes);
        } catch (ModelFormatException e) {
            throw new RequestException(Objects.requireNonNull(e.getMessage()), e);
        }
        int[] tokens = bytes.toArray(PrefillLayout.ID);
        int vocab = layout.config().vocabSize();
        for (int i = 0; i < n; i++) {
            if (tokens[i] < 0 || tokens[i] >= vocab) {
                throw refused(
                        tensors.file(),
                        PrefillLayout.TOKENS,
                        "has " + tokens[i] + " at [" + i + "], which is not in the vocabulary of 0 to " + (vocab - 1));
            }
        }
        return tokens;
    }

    private static int tokenCount(SafetensorsFile tensors, PrefillLayout layout) {
        TensorView view = tensor(tensors, PrefillLayout.TOKENS);
        int context = layout.config().contextLength();
        long n = view.shape().size() == 1 && view.dtype() == DType.I32
                ? view.shape().getFirst()
                : 0;
        if (n < 1 || n > context) {
            throw refused(
                    tensors.file(),
                    PrefillLayout.TOKENS,
                    "is " + view.dtype() + " " + view.shape() + ", expected I32 of 1 to " + context
                            + " tokens (max_position_embeddings)");
        }
        return (int) n;
    }

    private static TensorView tensor(SafetensorsFile tensors, String name) {
        TensorView view = tensors.tensors().get(name);
        if (view == null) {
            throw refused(tensors.file(), name, "is missing; export it again");
        }
        return view;
    }

    private static RequestException refused(Path file, String where, String problem) {
        return new RequestException(file + ": " + where + ": " + problem);
    }

    /** The tokens that have rows in it. */
    public int[] tokens() {
        return tokens.clone();
    }

    /**
     * What a prompt can take from it: the rows of the tokens that both begin with. Valid while this file is open.
     *
     * @throws RequestException if they begin with different tokens
     */
    public Import of(int[] prompt) {
        return find(prompt)
                .orElseThrow(() -> refused(
                        file,
                        PrefillLayout.TOKENS,
                        "begins with " + tokens[0] + " and the prompt with "
                                + (prompt.length == 0 ? "nothing" : prompt[0])
                                + " at [0], so it has nothing for it"));
    }

    /** The same, if they begin alike. */
    public Optional<Import> find(int[] prompt) {
        int differ = Arrays.mismatch(tokens, prompt);
        int shared = differ < 0 ? tokens.length : differ;
        // The last row in the MTP layer depends on what comes behind.
        int settled = layout.drafting() ? shared - 1 : shared;
        return shared == 0 ? Optional.empty() : Optional.of(new Prefix(settled));
    }

    /**
     * Refuses rows for another kind of cache than {@link #open} was told of.
     *
     * @throws RequestException naming file and flag
     */
    static void requireLayers(Import imported, boolean drafting) {
        if (imported instanceof Prefix prefix && prefix.file().layout.drafting() != drafting) {
            throw refused(
                    prefix.file().file,
                    PrefillLayout.GEOMETRY,
                    "was opened for a cache " + (drafting ? "without" : "with")
                            + " rows of the MTP layer, and this one is " + (drafting ? "with" : "without")
                            + " them (--speculative-tokens)");
        }
    }

    /** The first tokens of the file. */
    private final class Prefix implements Import {
        private int count;

        Prefix(int count) {
            this.count = count;
        }

        PrefillFile file() {
            return PrefillFile.this;
        }

        @Override
        public int tokens() {
            return count;
        }

        @Override
        public void readRows(int layer, int page, MemorySegment target) {
            read(PrefillLayout.rows(layer), (long) page * Block.TOKENS * layout.rowBytes(), target);
        }

        @Override
        public void readKeys(int anchorLayer, int page, int keys, MemorySegment target) {
            int pageBytes = layout.keys().pageBytes();
            MemorySegment whole = MemorySegment.ofArray(new byte[pageBytes]);
            read(PrefillLayout.keys(anchorLayer), (long) page * pageBytes, whole);
            layout.keys().copy(whole, target, keys);
        }

        private void read(String name, long from, MemorySegment target) {
            try {
                Objects.requireNonNull(tensors.tensors().get(name), name).copyTo(from, target);
            } catch (ModelFormatException e) {
                // A request that begins again computes what it can't have from here.
                count = 0;
                throw new EngineException(Objects.requireNonNull(e.getMessage()));
            }
        }
    }

    @Override
    public void close() {
        tensors.close();
    }
}
