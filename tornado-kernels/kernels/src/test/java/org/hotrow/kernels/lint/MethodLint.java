package org.hotrow.kernels.lint;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Checks one method, a kernel or a helper of one. */
final class MethodLint {
    private final String name;
    private final boolean helper;
    private final boolean cudaOnly;
    private final Predicate<InvokeInstruction> own;
    private final Predicate<InvokeInstruction> ownCudaOnly;
    private final MethodModel method;
    private final Flow flow;
    private final Variables variables;
    private final Operands operands;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * A method to check.
     *
     * @param name class and method
     * @param own whether a call is to a helper
     * @param ownCudaOnly whether a call is to a helper for CUDA only
     */
    MethodLint(
            String name,
            MethodModel method,
            boolean helper,
            boolean cudaOnly,
            Predicate<InvokeInstruction> own,
            Predicate<InvokeInstruction> ownCudaOnly) {
        this.name = name;
        this.method = method;
        this.helper = helper;
        this.cudaOnly = cudaOnly;
        this.own = own;
        this.ownCudaOnly = ownCudaOnly;
        CodeModel code = method.code().orElseThrow();
        CodeAttribute sizes = (CodeAttribute) code;
        flow = new Flow(code);
        variables = new Variables(flow, code, sizes.maxLocals());
        operands = new Operands(flow, sizes.maxLocals(), sizes.maxStack());
    }

    List<Finding> findings() {
        wholeMethod();
        for (int i = 0; i < flow.size(); i++) {
            instruction(i);
            mixedCondition(i);
        }
        for (LoopRules.Problem problem : LoopRules.problems(flow, variables, helper)) {
            add(problem.rule(), problem.instruction(), problem.what());
        }
        return findings.stream().distinct().sorted().toList();
    }

    private void wholeMethod() {
        CodeModel code = method.code().orElseThrow();
        String simple = method.methodName().stringValue();
        if (!helper && Calls.isBuiltin(simple)) {
            add(Rule.BUILTIN_NAME, 0, simple);
        }
        if (code.findAttribute(Attributes.localVariableTable()).isEmpty()) {
            add(Rule.NO_VARIABLE_NAMES, 0, "none");
        }
        if (!code.exceptionHandlers().isEmpty()) {
            add(Rule.EXCEPTION, 0, "try");
        }
    }

    private void instruction(int i) {
        switch (flow.at(i)) {
            case OperatorInstruction operator -> operator(i, operator.opcode());
            case ConvertInstruction convert -> {
                if (convert.opcode() == Opcode.I2F
                        || convert.opcode() == Opcode.I2D
                        || convert.opcode() == Opcode.I2L) {
                    difference(i, 0);
                }
            }
            case ConstantInstruction constant -> {
                Object value = constant.constantValue();
                if (value instanceof Number number && Double.isNaN(number.doubleValue())) {
                    add(Rule.NOT_A_NUMBER, i, "NaN");
                }
            }
            case FieldInstruction field -> {
                boolean isStatic = field.opcode() == Opcode.GETSTATIC || field.opcode() == Opcode.PUTSTATIC;
                if (isStatic && !field.owner().asInternalName().endsWith("/api/enums/MMAShape")) {
                    add(Rule.STATIC_FIELD, i, field.name().stringValue());
                }
            }
            case NewObjectInstruction object ->
                add(Rule.UNSUPPORTED_CALL, i, "new " + object.className().asInternalName());
            case NewReferenceArrayInstruction array -> add(Rule.UNSUPPORTED_CALL, i, "new array of references");
            case ThrowInstruction thrown -> add(Rule.EXCEPTION, i, "throw");
            case InvokeInstruction call -> call(i, call);
            default -> {}
        }
    }

    private void operator(int i, Opcode opcode) {
        switch (opcode) {
            case IUSHR, LUSHR -> add(Rule.UNSIGNED_SHIFT, i, ">>>");
            case IDIV, IREM, ISHR -> difference(i, 1);
            default -> {}
        }
    }

    private void difference(int i, int places) {
        if ((operands.mark(i, places) & Operands.DIFFERENCE) != 0) {
            add(Rule.MASKED_DIFFERENCE, i, "difference");
        }
    }

    private void call(int i, InvokeInstruction call) {
        String called = Calls.name(call);
        if (Calls.isLocalAtomic(call)) {
            add(Rule.LOCAL_ATOMIC, i, called);
        }
        if (Calls.isLocalAllocation(call) && helper) {
            add(Rule.LOCAL_ARRAY_IN_HELPER, i, "allocated");
        }
        if (own.test(call)) {
            for (int place = 0; place < Operands.argumentPlaces(call); place++) {
                if ((operands.mark(i, place) & Operands.LOCAL_ARRAY) != 0) {
                    add(
                            Rule.LOCAL_ARRAY_IN_HELPER,
                            i,
                            "passed to " + call.name().stringValue());
                }
            }
        } else if (!Calls.isCompiled(call) && !Calls.isBitsInMemory(flow.at(i - 1), call, flow.at(i + 1))) {
            add(Rule.UNSUPPORTED_CALL, i, called);
        }
        if ((Calls.isCudaOnly(call) || ownCudaOnly.test(call)) && !cudaOnly && !isForCuda(i)) {
            add(Rule.CUDA_ONLY, i, called);
        }
    }

    /** Whether an instruction is only reached if the variable {@code cuda} is not 0, or is 1. */
    private boolean isForCuda(int i) {
        for (int branch = 1; branch < flow.size(); branch++) {
            if (isTestOfCuda(branch) && flow.predecessors(branch + 1).size() == 1 && flow.dominates(branch + 1, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTestOfCuda(int branch) {
        return switch (flow.at(branch).opcode()) {
            case IFEQ -> isCuda(branch - 1);
            case IF_ICMPNE ->
                flow.at(branch - 1) instanceof ConstantInstruction one
                        && one.constantValue().equals(1)
                        && isCuda(branch - 2);
            default -> false;
        };
    }

    private boolean isCuda(int i) {
        return flow.at(i) instanceof LoadInstruction load
                && variables.name(load.slot(), i).equals("cuda");
    }

    /**
     * The branch at {@code first} is the first operand of {@code first && second || third}: it jumps behind the second one's
     * branch, which jumps behind the third one's, or back to the head of a {@code do}, as the third one's does.
     */
    private void mixedCondition(int first) {
        if (!flow.isConditional(first)) {
            return;
        }
        int third = flow.target(first);
        int second = third - 1;
        if (second <= first || !flow.isConditional(second) || !flow.isExpression(first, second)) {
            return;
        }
        int end = flow.target(second);
        boolean mixed = end > third
                ? flow.isConditional(end - 1) && flow.target(end - 1) > end && flow.isExpression(third, end)
                : end <= first && isJumpBack(third, end);
        if (mixed) {
            add(Rule.MIXED_CONDITION, first, "condition");
        }
    }

    /** Whether an expression begins here that ends with a branch to {@code head}. */
    private boolean isJumpBack(int from, int head) {
        for (int i = from; i < flow.size() && flow.isExpression(i, i + 1); i++) {
            if (flow.at(i) instanceof BranchInstruction && flow.target(i) == head) {
                return flow.isConditional(i);
            }
        }
        return false;
    }

    private void add(Rule rule, int instruction, String what) {
        findings.add(new Finding(name, flow.line(instruction), rule, what));
    }
}
