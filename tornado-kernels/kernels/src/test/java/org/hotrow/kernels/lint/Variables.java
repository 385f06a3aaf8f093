package org.hotrow.kernels.lint;

import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which assignments of a local variable reach an instruction, and which variables are read after it. Assignments go by
 * the instruction's number, what a parameter begins with by the number of instructions plus its slot.
 */
final class Variables {
    private final Flow flow;
    private final List<LocalVariable> names = new ArrayList<>();
    private final List<BitSet> reaching = new ArrayList<>();
    private final List<BitSet> live = new ArrayList<>();

    Variables(Flow flow, CodeModel code, int slots) {
        this.flow = flow;
        code.forEach(element -> {
            if (element instanceof LocalVariable name) {
                names.add(name);
            }
        });
        for (int i = 0; i < flow.size(); i++) {
            reaching.add(new BitSet());
            live.add(new BitSet());
        }
        reaching.getFirst().set(flow.size(), flow.size() + slots);
        reach();
        keepAlive();
    }

    /** Slots that are read at an instruction, or later before they are assigned. */
    BitSet live(int i) {
        return live.get(i);
    }

    /** Assignments of a slot that may be its last one behind an instruction. */
    BitSet after(int i, int slot) {
        BitSet of = new BitSet();
        after(i).stream().filter(assignment -> slotOf(assignment) == slot).forEach(of::set);
        return of;
    }

    /** The variable in a slot at an instruction, or {@code #slot}. */
    String name(int slot, int i) {
        for (LocalVariable name : names) {
            if (name.slot() == slot && flow.index(name.startScope()) <= i && i < flow.index(name.endScope())) {
                return name.name().stringValue();
            }
        }
        return "#" + slot;
    }

    private void reach() {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 0; i < flow.size(); i++) {
                BitSet after = after(i);
                for (int next : flow.successors(i)) {
                    int before = reaching.get(next).cardinality();
                    reaching.get(next).or(after);
                    changed |= reaching.get(next).cardinality() > before;
                }
            }
        }
    }

    private BitSet after(int i) {
        BitSet after = (BitSet) reaching.get(i).clone();
        int assigned = assigned(flow.at(i));
        if (assigned >= 0) {
            for (int other = after.nextSetBit(0); other >= 0; other = after.nextSetBit(other + 1)) {
                if (slotOf(other) == assigned) {
                    after.clear(other);
                }
            }
            after.set(i);
        }
        return after;
    }

    private int slotOf(int assignment) {
        return assignment < flow.size() ? assigned(flow.at(assignment)) : assignment - flow.size();
    }

    private void keepAlive() {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = flow.size() - 1; i >= 0; i--) {
                BitSet before = new BitSet();
                flow.successors(i).forEach(next -> before.or(live.get(next)));
                int assigned = assigned(flow.at(i));
                if (assigned >= 0) {
                    before.clear(assigned);
                }
                int read = read(flow.at(i));
                if (read >= 0) {
                    before.set(read);
                }
                changed |= !before.equals(live.set(i, before));
            }
        }
    }

    private static int assigned(Instruction instruction) {
        return switch (instruction) {
            case StoreInstruction store -> store.slot();
            case IncrementInstruction increment -> increment.slot();
            default -> -1;
        };
    }

    private static int read(Instruction instruction) {
        return switch (instruction) {
            case LoadInstruction load -> load.slot();
            case IncrementInstruction increment -> increment.slot();
            default -> -1;
        };
    }
}
