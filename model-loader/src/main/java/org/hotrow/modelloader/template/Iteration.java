package org.hotrow.modelloader.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The items of a value. */
final class Iteration {
    private Iteration() {}

    /** All items, of which an iterator then has none left. */
    static List<? extends TemplateValue> items(Rendering run, TemplateValue value) {
        List<? extends TemplateValue> items = find(run, value);
        run.charge(items.size());
        return items;
    }

    /** The items one by one, which {@code value} itself may be. */
    static IteratorValue iterator(Rendering run, TemplateValue value) {
        return value instanceof IteratorValue iterator ? iterator : IteratorValue.of(run, find(run, value));
    }

    static boolean isIterable(TemplateValue value) {
        return switch (value) {
            case TemplateText _, SequenceValue _, DictValue _, DictView _, RangeValue _, IteratorValue _ -> true;
            case UndefinedValue _, LoopValue _ -> true;
            case NumberValue _, NoneValue _, NamespaceValue _, CallableValue _ -> false;
        };
    }

    /** The number of items, or null for a value that has no length. */
    static @Nullable Integer length(Rendering run, TemplateValue value) {
        return switch (value) {
            case TemplateText text -> {
                run.chargeChars(text.length());
                yield CodePoints.count(text.chars());
            }
            case SequenceValue sequence -> sequence.items().size();
            case DictValue dict -> dict.size();
            case DictView view -> view.dict().size();
            case RangeValue range -> range.count();
            case LoopValue loop -> loop.length();
            case UndefinedValue _ -> 0;
            case NumberValue _, NoneValue _, IteratorValue _, NamespaceValue _, CallableValue _ -> null;
        };
    }

    private static List<? extends TemplateValue> find(Rendering run, TemplateValue value) {
        return switch (value) {
            case TemplateText text -> CodePoints.list(run, text);
            case SequenceValue sequence -> sequence.items();
            case DictValue dict -> {
                run.charge(dict.size());
                yield new DictView(DictView.Part.KEYS, dict).toList();
            }
            case DictView view -> {
                run.charge(view.dict().size());
                yield view.toList();
            }
            case RangeValue range -> range.toList();
            case IteratorValue iterator -> iterator.takeAll();
            case UndefinedValue _ -> List.of();
            case NumberValue _, NoneValue _, NamespaceValue _, LoopValue _, CallableValue _ ->
                throw run.runtime("a value of type " + value.typeName() + " has no items");
        };
    }
}
