package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code value[from:to:step]} as Python has it. */
final class Slicing {
    /**
     * The places that a slice takes: {@code start, start + step, ...}, {@code count} of them.
     *
     * @param stop where Python says that the slice ends
     */
    private record Places(int start, int stop, long step, int count) {
        int at(int index) {
            return (int) (start + index * step);
        }
    }

    private Slicing() {}

    static TemplateValue slice(
            Rendering run,
            TemplateValue value,
            @Nullable TemplateValue from,
            @Nullable TemplateValue to,
            @Nullable TemplateValue step) {
        return switch (value) {
            case TemplateText text -> text(run, text, from, to, step);
            case SequenceValue sequence -> {
                Places places = places(run, sequence.items().size(), from, to, step);
                List<TemplateValue> items = new ArrayList<>(run.reserveItems(places.count()));
                for (int i = 0; i < places.count(); i++) {
                    items.add(sequence.items().get(places.at(i)));
                }
                yield sequence.isList() ? SequenceValue.list(items) : SequenceValue.tuple(items);
            }
            case RangeValue range -> {
                Places places = places(run, range.count(), from, to, step);
                yield new RangeValue(
                        range.at(places.start()),
                        range.at(places.stop()),
                        range.step().multiply(BigInteger.valueOf(places.step())),
                        places.count());
            }
            case UndefinedValue undefined -> throw run.undefined(undefined);
            default -> throw run.runtime("a value of type " + value.typeName() + " can't be sliced");
        };
    }

    private static TemplateText text(
            Rendering run,
            TemplateText text,
            @Nullable TemplateValue from,
            @Nullable TemplateValue to,
            @Nullable TemplateValue step) {
        run.chargeChars(text.length());
        int[] offsets = CodePoints.offsets(text.chars());
        Places places = places(run, offsets.length - 1, from, to, step);
        TemplateText sliced;
        if (places.step() == 1) {
            sliced = text.slice(offsets[places.start()], offsets[places.start() + places.count()]);
        } else {
            TextBuilder out = new TextBuilder(run);
            for (int i = 0; i < places.count(); i++) {
                int place = places.at(i);
                out.append(text, offsets[place], offsets[place + 1]);
            }
            sliced = out.build();
        }
        return text.isEscaped() ? sliced.asEscaped() : sliced;
    }

    private static Places places(
            Rendering run,
            int length,
            @Nullable TemplateValue from,
            @Nullable TemplateValue to,
            @Nullable TemplateValue stepValue) {
        long step = bounded(index(run, stepValue, BigInteger.ONE));
        if (step == 0) {
            throw run.runtime("a slice with step zero");
        }
        int first = step > 0 ? 0 : length - 1;
        int last = step > 0 ? length : -1;
        int start = place(run, from, length, step, first);
        int stop = place(run, to, length, step, last);
        long distance = step > 0 ? (long) stop - start : (long) start - stop;
        long count = distance <= 0 ? 0 : (distance - 1) / Math.abs(step) + 1;
        return new Places(start, stop, step, (int) count);
    }

    /** A place given as an index, counted from the end if negative, moved into the value. */
    private static int place(Rendering run, @Nullable TemplateValue value, int length, long step, int missing) {
        if (value == null || value == NoneValue.NONE) {
            return missing;
        }
        long index = bounded(index(run, value, BigInteger.ZERO));
        if (index < 0) {
            index += length;
        }
        return step > 0 ? Math.clamp(index, 0, length) : Math.clamp(index, -1, length - 1);
    }

    private static BigInteger index(Rendering run, @Nullable TemplateValue value, BigInteger missing) {
        if (value == null || value == NoneValue.NONE) {
            return missing;
        }
        if (value instanceof NumberValue number && number.isInteger()) {
            return number.toInteger();
        }
        throw run.runtime("a slice needs integers, not a value of type " + value.typeName());
    }

    /** An index or step, cut to a size that is beyond any value but safe to calculate with. */
    private static long bounded(BigInteger value) {
        return value.bitLength() < Integer.SIZE ? value.intValue() : value.signum() * (long) Integer.MAX_VALUE;
    }
}
