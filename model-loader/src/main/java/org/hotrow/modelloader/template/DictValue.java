package org.hotrow.modelloader.template;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mapping in the order of its making. {@code members} is keyed by {@link HashKey} and must not change. */
record DictValue(Map<Object, Entry> members) implements TemplateValue {
    record Entry(TemplateValue key, TemplateValue value) {
        SequenceValue toTuple() {
            return SequenceValue.tuple(key, value);
        }
    }

    /** Sets a member under construction; as in Python, a key that is already there stays as it was first written. */
    static void put(Map<Object, Entry> members, Object hashKey, TemplateValue key, TemplateValue value) {
        Entry old = members.get(hashKey);
        members.put(hashKey, new Entry(old == null ? key : old.key(), value));
    }

    @Nullable
    TemplateValue get(Object hashKey) {
        Entry entry = members.get(hashKey);
        return entry == null ? null : entry.value();
    }

    Collection<Entry> entries() {
        return members.values();
    }

    int size() {
        return members.size();
    }

    @Override
    public boolean isTrue() {
        return !members.isEmpty();
    }

    @Override
    public String typeName() {
        return "dict";
    }
}
