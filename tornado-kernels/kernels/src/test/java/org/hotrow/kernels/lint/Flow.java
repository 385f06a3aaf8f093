package org.hotrow.kernels.lint;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A method's instructions, numbered from 0, and how control goes from one to another. Handlers of exceptions are left out.
 *
 * <p>A natural loop belongs to each instruction (its head) that a jump from further on leads back to, all ways to the jump
 * leading through the head; its body is what can get back to the head without leaving it.
 */
final class Flow {
    /** A way from an instruction to the next. */
    record Edge(int from, int to) {}

    record Loop(int head, BitSet body) {}

    private final List<Instruction> instructions = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private final Map<Label, Integer> labels = new HashMap<>();
    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<List<Integer>> predecessors = new ArrayList<>();
    private final List<BitSet> dominators = new ArrayList<>();

    Flow(CodeModel code) {
        int line = 0;
        for (CodeElement element : code) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case LabelTarget target -> labels.put(target.label(), instructions.size());
                case Instruction instruction -> {
                    instructions.add(instruction);
                    lines.add(line);
                }
                default -> {}
            }
        }
        for (int i = 0; i < size(); i++) {
            successors.add(next(i));
            predecessors.add(new ArrayList<>());
        }
        for (int i = 0; i < size(); i++) {
            for (int next : successors.get(i)) {
                predecessors.get(next).add(i);
            }
        }
        dominate();
    }

    int size() {
        return instructions.size();
    }

    Instruction at(int i) {
        return instructions.get(i);
    }

    int line(int i) {
        return lines.get(i);
    }

    /** The instruction behind a label. */
    int index(Label label) {
        return Objects.requireNonNull(labels.get(label));
    }

    List<Integer> successors(int i) {
        return successors.get(i);
    }

    List<Integer> predecessors(int i) {
        return predecessors.get(i);
    }

    /** Whether all ways to an instruction lead through another. */
    boolean dominates(int through, int to) {
        return dominators.get(to).get(through);
    }

    /** Whether the instruction jumps or goes on. */
    boolean isConditional(int i) {
        return at(i) instanceof BranchInstruction branch && !isGoto(branch);
    }

    /** Whether the instruction always jumps. */
    boolean isGoto(int i) {
        return at(i) instanceof BranchInstruction branch && isGoto(branch);
    }

    /** Where a branch leads to. */
    int target(int i) {
        return index(((BranchInstruction) at(i)).target());
    }

    /** Whether no instruction from one up to another keeps a value. */
    boolean isExpression(int from, int to) {
        for (int i = from; i < to; i++) {
            if (at(i) instanceof StoreInstruction
                    || at(i) instanceof ArrayStoreInstruction
                    || at(i) instanceof IncrementInstruction) {
                return false;
            }
        }
        return true;
    }

    /** What can be reached from an instruction, itself included, without passing {@code barrier}. */
    BitSet reachable(int from, int barrier) {
        BitSet seen = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>(List.of(from));
        while (!todo.isEmpty()) {
            int i = todo.pop();
            if (i != barrier && !seen.get(i)) {
                seen.set(i);
                todo.addAll(successors(i));
            }
        }
        return seen;
    }

    /** All loops, by their heads. */
    List<Loop> loops() {
        Map<Integer, BitSet> bodies = new TreeMap<>();
        for (int i = 0; i < size(); i++) {
            for (int head : successors(i)) {
                if (dominates(head, i)) {
                    collect(i, bodies.computeIfAbsent(head, h -> singleton(h)));
                }
            }
        }
        List<Loop> loops = new ArrayList<>();
        bodies.forEach((head, body) -> loops.add(new Loop(head, body)));
        return loops;
    }

    /** The ways out of a loop. */
    List<Edge> exits(Loop loop) {
        List<Edge> exits = new ArrayList<>();
        loop.body().stream().forEach(from -> {
            for (int to : successors(from)) {
                if (!loop.body().get(to)) {
                    exits.add(new Edge(from, to));
                }
            }
        });
        return exits;
    }

    private void collect(int last, BitSet body) {
        Deque<Integer> todo = new ArrayDeque<>(List.of(last));
        while (!todo.isEmpty()) {
            int i = todo.pop();
            if (!body.get(i)) {
                body.set(i);
                todo.addAll(predecessors(i));
            }
        }
    }

    private List<Integer> next(int i) {
        List<Integer> next = new ArrayList<>();
        boolean goesOn = true;
        switch (at(i)) {
            case BranchInstruction branch -> {
                goesOn = !isGoto(branch);
                next.add(index(branch.target()));
            }
            case TableSwitchInstruction choice -> {
                goesOn = false;
                addCases(next, choice.cases(), choice.defaultTarget());
            }
            case LookupSwitchInstruction choice -> {
                goesOn = false;
                addCases(next, choice.cases(), choice.defaultTarget());
            }
            case ReturnInstruction end -> goesOn = false;
            case ThrowInstruction end -> goesOn = false;
            default -> {}
        }
        if (goesOn) {
            next.addFirst(i + 1);
        }
        return next;
    }

    private void addCases(List<Integer> next, List<SwitchCase> cases, Label otherwise) {
        for (SwitchCase one : cases) {
            next.add(index(one.target()));
        }
        next.add(index(otherwise));
    }

    private void dominate() {
        for (int i = 0; i < size(); i++) {
            BitSet all = new BitSet();
            all.set(0, size());
            dominators.add(i == 0 ? singleton(0) : all);
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < size(); i++) {
                BitSet common = new BitSet();
                common.set(0, size());
                for (int before : predecessors(i)) {
                    common.and(dominators.get(before));
                }
                common.set(i);
                changed |= !common.equals(dominators.set(i, common));
            }
        }
    }

    private static boolean isGoto(BranchInstruction branch) {
        return branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
    }

    private static BitSet singleton(int i) {
        BitSet set = new BitSet();
        set.set(i);
        return set;
    }
}
