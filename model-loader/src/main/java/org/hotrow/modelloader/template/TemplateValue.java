package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value inside a template, with the behaviour of its Python counterpart. Values from outside don't change. */
public sealed interface TemplateValue
        permits TemplateText,
                NumberValue,
                NoneValue,
                UndefinedValue,
                SequenceValue,
                DictValue,
                DictView,
                RangeValue,
                IteratorValue,
                NamespaceValue,
                LoopValue,
                CallableValue {

    /** Whether the value counts as true in a condition. */
    boolean isTrue();

    /** What Python calls the type of this value. */
    String typeName();

    /** The value none. */
    static TemplateValue none() {
        return NoneValue.NONE;
    }

    /** A boolean. */
    static TemplateValue of(boolean value) {
        return BoolValue.of(value);
    }

    /** An integer. */
    static TemplateValue of(long value) {
        return IntValue.of(value);
    }

    /** An integer of any size. */
    static TemplateValue of(BigInteger value) {
        return new IntValue(value);
    }

    /** A floating point number. */
    static TemplateValue of(double value) {
        return new FloatValue(value);
    }

    /** Text from outside the template, such as what a user wrote: never trusted, wherever it ends up. */
    static TemplateValue text(String value) {
        return TemplateText.untrusted(value);
    }

    /**
     * Text that counts as if the template itself had written it. Only for words of the model and of this program, such
     * as a special token from a tokenizer file; never for anything a user, a tool or a document may have chosen.
     */
    static TemplateValue trustedText(String value) {
        return TemplateText.trusted(value);
    }

    /** A list; later changes to {@code items} are not seen. */
    static TemplateValue list(List<? extends TemplateValue> items) {
        return SequenceValue.list(List.copyOf(items));
    }

    /** A mapping that keeps the order of {@code members}; later changes to it are not seen. Keys are untrusted text. */
    static TemplateValue map(Map<String, ? extends TemplateValue> members) {
        Map<Object, DictValue.Entry> entries = new LinkedHashMap<>();
        members.forEach((name, value) -> entries.put(name, new DictValue.Entry(TemplateText.untrusted(name), value)));
        return new DictValue(entries);
    }
}
