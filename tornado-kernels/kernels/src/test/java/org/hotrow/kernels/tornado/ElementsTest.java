package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;

/** Shapes that kernels can't index or that have nothing in them are refused, with their sizes. */
class ElementsTest {
    private static final int HUGE = 1 << 16;

    @Test
    void countsUpToTheLargestInt() {
        assertThat(Elements.count("rows", Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(Elements.count("rows", 3, 5, 7)).isEqualTo(105);
        assertThat(Elements.count("rows", 3, 0, 7)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Elements.count("rows", 1 << 15, 1 << 16))
                .withMessage("rows of 32768 x 65536: expected at most 2147483647 elements");
    }

    /** Their product is 0 or small where an int, or a long, overflows. */
    @Test
    void isNotMisledByProductsThatOverflow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Elements.count("rows", 1 << 16, 1 << 16, 1 << 16, 1 << 16));
        assertThatIllegalArgumentException().isThrownBy(() -> Elements.count("rows", 1L << 32, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Elements.count("rows", -1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> Elements.count("rows", 0, Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void shapesThatIntsDoNotIndexAreRefused(ThrowingCallable shape) {
        assertThatIllegalArgumentException().isThrownBy(shape);
    }

    static Stream<ThrowingCallable> shapes() {
        ExpertGroups.Shape groups = new ExpertGroups.Shape(HUGE, 8, 2);
        return Stream.of(
                () -> new Argmax.Shape(HUGE, HUGE, 1, 0),
                () -> new Bf16Linear.Shape(HUGE, HUGE, 1, 0),
                () -> new Bf16Linear.Shape(1, HUGE, 1 << 30, 0),
                () -> new Embedding.Shape(HUGE, HUGE, 1),
                () -> new Embedding.Shape(1, HUGE, 1 << 18),
                () -> new ExpertGroups.Shape(1 << 30, 8, 4),
                () -> new ExpertLinear.Shape(groups, HUGE, 1, false),
                () -> new ExpertCombine.Shape(HUGE, 2, 1 << 15),
                () -> new ExpertCombine.Shape(1, 0, 1),
                () -> new Fp8Dequant.Shape(HUGE, HUGE),
                () -> new Fp8Linear.Shape(HUGE, HUGE, 1),
                () -> new Fp8Linear.Shape(1, 16, 1 << 30),
                () -> new HeadLinear.Shape(1, 1 << 20, 8, Integer.MAX_VALUE, 1, 8, 8),
                () -> new HeadLinear.Shape(1, 1 << 20, 8, 0, Integer.MAX_VALUE, 8, 8),
                () -> new IndexKeyWrite.Shape(HUGE, HUGE, 1, 1, 1, 1),
                () -> new IndexScores.Shape(1, 1, 8, 1, 0, 1, 1, KvDtype.FP32),
                () -> new IndexScores.Shape(HUGE, 1, 8, 1, HUGE, 1 << 20, 1, KvDtype.FP32),
                () -> new KvRowWrite.Shape(HUGE, HUGE, 1),
                () -> new LayerNorm.Shape(HUGE, HUGE),
                () -> new LayerNorm.Shape(1, 0),
                () -> new RadixTopK.Shape(HUGE, HUGE, 1),
                () -> new RadixTopK.Shape(HUGE, 1, HUGE),
                () -> new Residual.Shape(HUGE, HUGE),
                () -> new Residual.Shape(0, 1),
                () -> new RmsNorm.Shape(HUGE, HUGE, 1, 0),
                () -> new RotaryEmbedding.Shape(HUGE, HUGE, 0, 1, 64, 32, true),
                // The last head lies 2^32 values further on.
                () -> new RotaryEmbedding.Shape(1, 128, 0, (1 << 19) + 1, 1 << 13, 32, true),
                () -> new RowCopy.Shape(1, HUGE, HUGE),
                () -> new RowGather.Shape(0, HUGE, HUGE, 1, 1),
                () -> new RowGather.Shape(0, 1, 1, 1 << 26, 1),
                () -> new RowJoin.Shape(1 << 15, 1 << 15),
                () -> new RowJoin.Shape(0, 1),
                () -> new RowResolver.Shape(2 * HUGE, (1 << 15) - 1, 1, 1, 1, 1, 64),
                () -> new SparseMla.Shape(HUGE, 64, 512, 64, 1, KvDtype.FP8),
                () -> new SparseMla.Shape(HUGE, 1, 8, 0, HUGE, KvDtype.FP32),
                () -> new SwiGlu.Shape(HUGE, HUGE),
                () -> new SwiGlu.Shape(1, 0),
                () -> new W8a8.Shape(HUGE, HUGE, 16),
                () -> new WriteBack.Shape(1, HUGE, 1, 512, 0, 512, 1, 0, 1, 1),
                () -> new WriteBack.Shape(1, 1, 1, 2, Integer.MAX_VALUE, 1, 1, 0, 1, 1));
    }

    @Test
    void aGridOfMoreWorkItemsThanIntsCountIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grids.groups(new TaskGraph("graph"), new GridScheduler(), "task", 1 << 25, 1, 64))
                .withMessageContaining("work-items of task of 33554432 x 64");
    }
}
