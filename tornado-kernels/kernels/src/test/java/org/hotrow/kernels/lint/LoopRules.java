package org.hotrow.kernels.lint;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Finds what TornadoVM's back ends lose where ways meet behind a loop: there a variable gets a value by the way that led
 * there, and after several exits of one loop, or the exits of loops in different branches, it is the wrong way's.
 */
final class LoopRules {
    /** A problem at an instruction. */
    record Problem(Rule rule, int instruction, String what) {}

    private final Flow flow;
    private final Variables variables;
    private final List<Flow.Loop> loops;
    private final List<Problem> problems = new ArrayList<>();

    private LoopRules(Flow flow, Variables variables) {
        this.flow = flow;
        this.variables = variables;
        this.loops = flow.loops();
    }

    /** The problems of a method that is inlined into a kernel, or is one. */
    static List<Problem> problems(Flow flow, Variables variables, boolean helper) {
        LoopRules rules = new LoopRules(flow, variables);
        for (Flow.Loop loop : rules.loops) {
            List<Flow.Edge> exits = flow.exits(loop);
            rules.choosesInHead(loop, exits);
            for (int i = 0; i < exits.size(); i++) {
                for (int j = i + 1; j < exits.size(); j++) {
                    rules.exitsMeet(loop, exits.get(i), exits.get(j));
                }
            }
            if (helper) {
                rules.returnsFrom(loop, exits);
            }
        }
        rules.branchesMeet();
        return rules.problems;
    }

    /** The condition that ends a loop chooses between two values: a branch past a jump, both to no further than its own. */
    private void choosesInHead(Flow.Loop loop, List<Flow.Edge> exits) {
        int end = exits.stream().mapToInt(Flow.Edge::from).min().orElse(loop.head());
        for (int i = loop.head(); i < end; i++) {
            boolean branches = flow.isConditional(i) && flow.target(i) > i && flow.target(i) <= end;
            if (branches && flow.isGoto(flow.target(i) - 1) && flow.isExpression(i, end)) {
                problems.add(new Problem(Rule.CHOICE_IN_LOOP_HEAD, i, "?:"));
            }
        }
    }

    /** The two exits lead to one place, where a variable that is read later has a value of each. */
    private void exitsMeet(Flow.Loop loop, Flow.Edge one, Flow.Edge other) {
        BitSet behindOne = flow.reachable(one.to(), loop.head());
        BitSet behindOther = flow.reachable(other.to(), loop.head());
        BitSet both = (BitSet) behindOne.clone();
        both.and(behindOther);
        behindOne.andNot(both);
        behindOne.set(one.from());
        behindOther.andNot(both);
        behindOther.set(other.from());
        both.stream().forEach(place -> {
            for (int before : flow.predecessors(place)) {
                for (int otherBefore : flow.predecessors(place)) {
                    if (behindOne.get(before) && behindOther.get(otherBefore)) {
                        int slot = differing(place, before, otherBefore);
                        if (slot >= 0) {
                            add(Rule.LOOP_EXIT_VALUE, Math.max(one.from(), other.from()), slot, place);
                        }
                    }
                }
            }
        });
    }

    private int differing(int place, int before, int otherBefore) {
        return variables.live(place).stream()
                .filter(slot -> !variables.after(before, slot).equals(variables.after(otherBefore, slot)))
                .findFirst()
                .orElse(-1);
    }

    /** A return that only some of a loop's exits lead to is one from within the loop. */
    private void returnsFrom(Flow.Loop loop, List<Flow.Edge> exits) {
        BitSet some = new BitSet();
        BitSet all = new BitSet();
        all.set(0, flow.size());
        for (Flow.Edge exit : exits) {
            BitSet behind = flow.reachable(exit.to(), loop.head());
            some.or(behind);
            all.and(behind);
        }
        some.andNot(all);
        some.stream()
                .filter(i -> flow.successors(i).isEmpty())
                .findFirst()
                .ifPresent(i -> problems.add(new Problem(Rule.RETURN_IN_LOOP, i, "return")));
    }

    /** Loops on two ways that meet give a variable that is read later. */
    private void branchesMeet() {
        for (int i = 0; i < flow.size(); i++) {
            int place = i;
            List<Integer> ways = flow.predecessors(place);
            for (int a = 0; a < ways.size(); a++) {
                for (int b = a + 1; b < ways.size(); b++) {
                    int one = ways.get(a);
                    int other = ways.get(b);
                    variables.live(place).stream()
                            .filter(slot -> loopsGive(place, variables.after(one, slot), variables.after(other, slot)))
                            .findFirst()
                            .ifPresent(slot -> add(Rule.LOOPS_IN_BRANCHES, place, slot, place));
                }
            }
        }
    }

    private boolean loopsGive(int place, BitSet one, BitSet other) {
        IntUnaryOperator loopOf = assignment -> outermostWithout(place, assignment);
        return one.stream()
                .filter(assignment -> !other.get(assignment))
                .map(loopOf)
                .filter(loop -> loop >= 0)
                .anyMatch(loop -> other.stream()
                        .filter(assignment -> !one.get(assignment))
                        .map(loopOf)
                        .anyMatch(another -> another >= 0 && another != loop));
    }

    /** The head of the outermost loop around an assignment that the place is not in, or -1. */
    private int outermostWithout(int place, int assignment) {
        return loops.stream()
                .filter(loop -> loop.body().get(assignment) && !loop.body().get(place))
                .mapToInt(Flow.Loop::head)
                .findFirst()
                .orElse(-1);
    }

    private void add(Rule rule, int instruction, int slot, int place) {
        problems.add(new Problem(rule, instruction, "of " + variables.name(slot, place)));
    }
}
