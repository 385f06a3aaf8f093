package org.hotrow.kernels.lint;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Marks of the values on the operand stack: which are local arrays, masked bytes, or differences of such. A long takes two
 * places. Where ways meet, a value has the marks of each.
 */
final class Operands {
    static final int LOCAL_ARRAY = 1;
    static final int MASKED = 2;
    static final int DIFFERENCE = 4;
    private static final int MASK = 8;

    private final int[] @Nullable [] before;
    private int[] frame = {};
    private int top;

    /** A method that has so many places for variables and on its stack. */
    Operands(Flow flow, int slots, int stack) {
        before = new int[flow.size()][];
        before[0] = new int[slots + stack + 1];
        before[0][slots + stack] = slots;
        Deque<Integer> todo = new ArrayDeque<>();
        todo.add(0);
        while (!todo.isEmpty()) {
            int i = todo.pop();
            open(i);
            execute(flow.at(i));
            frame[frame.length - 1] = top;
            for (int next : flow.successors(i)) {
                if (meet(next)) {
                    todo.push(next);
                }
            }
        }
    }

    /** Marks of the value that lies so many places below the top before an instruction. */
    int mark(int i, int places) {
        open(i);
        return frame[top - 1 - places];
    }

    private void open(int i) {
        frame = Objects.requireNonNull(before[i]).clone();
        top = frame[frame.length - 1];
    }

    private boolean meet(int i) {
        int[] known = before[i];
        if (known == null) {
            before[i] = frame.clone();
            return true;
        }
        int[] both = known.clone();
        for (int at = 0; at < top; at++) {
            both[at] |= frame[at];
        }
        before[i] = both;
        return !Arrays.equals(known, both);
    }

    private void execute(Instruction instruction) {
        switch (instruction) {
            case LoadInstruction load -> push(load.typeKind().slotSize(), frame[load.slot()]);
            case StoreInstruction store ->
                frame[store.slot()] = pop(store.typeKind().slotSize());
            case IncrementInstruction increment -> {}
            case ConstantInstruction constant ->
                push(constant.typeKind().slotSize(), isMask(constant.constantValue()) ? MASK : 0);
            case ArrayLoadInstruction load -> replace(2, load.typeKind().slotSize());
            case ArrayStoreInstruction store -> pop(2 + store.typeKind().slotSize());
            case OperatorInstruction operator -> operate(operator);
            case ConvertInstruction convert ->
                replace(convert.fromType().slotSize(), convert.toType().slotSize());
            case FieldInstruction field -> access(field);
            case InvokeInstruction invoke -> call(invoke);
            case BranchInstruction branch -> pop(compared(branch.opcode()));
            case TableSwitchInstruction choice -> pop(1);
            case LookupSwitchInstruction choice -> pop(1);
            case NewPrimitiveArrayInstruction array -> replace(1, 1);
            case TypeCheckInstruction check -> {
                if (check.opcode() == Opcode.INSTANCEOF) {
                    replace(1, 1);
                }
            }
            case StackInstruction shuffle -> shuffle(shuffle.opcode());
            case NewObjectInstruction object -> push(1, 0);
            case NewReferenceArrayInstruction array -> replace(1, 1);
            case ReturnInstruction end -> {}
            case ThrowInstruction end -> {}
            case NopInstruction none -> {}
            default -> throw new IllegalArgumentException("a kernel has " + instruction);
        }
    }

    private void operate(OperatorInstruction operator) {
        switch (operator.opcode()) {
            case INEG, LNEG, FNEG, DNEG, ARRAYLENGTH -> {
                int places = operator.opcode() == Opcode.ARRAYLENGTH
                        ? 1
                        : operator.typeKind().slotSize();
                replace(places, places);
            }
            case LCMP, DCMPL, DCMPG -> replace(4, 1);
            case FCMPL, FCMPG -> replace(2, 1);
            case LSHL, LSHR, LUSHR -> replace(3, 2);
            case IAND -> {
                int either = frame[top - 1] | frame[top - 2];
                pop(2);
                push(1, (either & MASK) != 0 ? MASKED : 0);
            }
            case ISUB -> {
                int left = frame[top - 2];
                pop(2);
                push(1, (left & MASKED) != 0 ? DIFFERENCE : 0);
            }
            default -> {
                int places = operator.typeKind().slotSize();
                replace(2 * places, places);
            }
        }
    }

    private void access(FieldInstruction field) {
        int places = TypeKind.from(field.typeSymbol()).slotSize();
        switch (field.opcode()) {
            case GETSTATIC -> push(places, 0);
            case PUTSTATIC -> pop(places);
            case GETFIELD -> replace(1, places);
            default -> pop(1 + places);
        }
    }

    private void call(InvokeInstruction invoke) {
        pop(argumentPlaces(invoke));
        String name = invoke.name().stringValue();
        boolean local = name.startsWith("allocate") && name.endsWith("LocalArray");
        push(TypeKind.from(invoke.typeSymbol().returnType()).slotSize(), local ? LOCAL_ARRAY : 0);
    }

    /** Places on the stack of a call's arguments, and of the object. */
    static int argumentPlaces(InvokeInstruction invoke) {
        MethodTypeDesc type = invoke.typeSymbol();
        int places = invoke.opcode() == Opcode.INVOKESTATIC ? 0 : 1;
        for (ClassDesc parameter : type.parameterList()) {
            places += TypeKind.from(parameter).slotSize();
        }
        return places;
    }

    private void shuffle(Opcode opcode) {
        switch (opcode) {
            case POP -> pop(1);
            case POP2 -> pop(2);
            case DUP -> duplicate(1, 0);
            case DUP_X1 -> duplicate(1, 1);
            case DUP_X2 -> duplicate(1, 2);
            case DUP2 -> duplicate(2, 0);
            case DUP2_X1 -> duplicate(2, 1);
            case DUP2_X2 -> duplicate(2, 2);
            default -> throw new IllegalArgumentException("javac has no use for " + opcode);
        }
    }

    /** Copies the upper places below as many more as {@code skip}. */
    private void duplicate(int places, int skip) {
        int from = top - places - skip;
        System.arraycopy(frame, from, frame, from + places, places + skip);
        System.arraycopy(frame, top, frame, from, places);
        top += places;
    }

    private static int compared(Opcode opcode) {
        return switch (opcode) {
            case GOTO, GOTO_W -> 0;
            case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE, IF_ACMPEQ, IF_ACMPNE -> 2;
            default -> 1;
        };
    }

    private static boolean isMask(Object constant) {
        return constant instanceof Integer mask && (mask == 0xFF || mask == 0xFFFF);
    }

    private void replace(int popped, int pushed) {
        pop(popped);
        push(pushed, 0);
    }

    private int pop(int places) {
        top -= places;
        return places == 0 ? 0 : frame[top];
    }

    private void push(int places, int mark) {
        for (int i = 0; i < places; i++) {
            frame[top++] = mark;
        }
    }
}
