package org.hotrow.emulator;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts calls of {@link Probe} into a kernel's class:
 *
 * <pre>
 * before a call of any method          at(site)
 * before a read of an array element    load(array, index, site)
 * before a write of an array element   store(array, index, site)
 * after a new array of numbers         fresh(array), but not in static initialisers
 * </pre>
 */
final class Rewriter {
    private static final ClassDesc PROBE = ClassDesc.of("org.hotrow.emulator.Probe");
    private static final MethodTypeDesc AT = MethodTypeDesc.of(CD_void, CD_int);
    private static final MethodTypeDesc ELEMENT = MethodTypeDesc.of(CD_void, CD_Object, CD_int, CD_int);
    private static final MethodTypeDesc FRESH = MethodTypeDesc.of(CD_void, CD_Object);

    private final Sites sites;
    private final ClassLoader loader;

    Rewriter(Sites sites, ClassLoader loader) {
        this.sites = sites;
        this.loader = loader;
    }

    byte[] rewrite(byte[] classBytes) {
        ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader).orElse(ClassHierarchyResolver.defaultResolver())));
        ClassModel model = classFile.parse(classBytes);
        String source = model.findAttribute(Attributes.sourceFile())
                .map(attribute -> attribute.sourceFile().stringValue())
                .orElse(model.thisClass().asInternalName());
        return classFile.transformClass(model, (builder, element) -> rewrite(builder, element, source));
    }

    private void rewrite(ClassBuilder builder, ClassElement element, String source) {
        if (element instanceof MethodModel method && method.code().isPresent()) {
            boolean initialiser = method.methodName().equalsString(CLASS_INIT_NAME);
            builder.transformMethod(
                    method,
                    MethodTransform.transformingCode(new Instructions(
                            source, initialiser, results(method.code().get()))));
        } else {
            builder.with(element);
        }
    }

    private record Variable(int slot, Label from) {}

    /** Names of the variables that results of calls are stored in, by the call's number in the method. */
    private static Map<Integer, String> results(CodeModel code) {
        Map<Variable, String> variables = new HashMap<>();
        List<CodeElement> elements = code.elementList();
        for (CodeElement element : elements) {
            if (element instanceof LocalVariable variable) {
                variables.put(
                        new Variable(variable.slot(), variable.startScope()),
                        variable.name().stringValue());
            }
        }
        Map<Integer, String> names = new HashMap<>();
        int call = 0;
        for (int i = 0; i + 1 < elements.size(); i++) {
            if (!(elements.get(i) instanceof InvokeInstruction)) {
                continue;
            }
            call++;
            if (elements.get(i + 1) instanceof StoreInstruction store) {
                // The variable begins at a label right behind the store.
                for (int j = i + 2; j < elements.size() && elements.get(j) instanceof PseudoInstruction after; j++) {
                    if (after instanceof LabelTarget begin) {
                        String name = variables.get(new Variable(store.slot(), begin.label()));
                        if (name != null) {
                            names.put(call, name);
                        }
                    }
                }
            }
        }
        return names;
    }

    private final class Instructions implements CodeTransform {
        private final String source;
        private final boolean initialiser;
        private final Map<Integer, String> results;
        private int line;
        private int call;

        Instructions(String source, boolean initialiser, Map<Integer, String> results) {
            this.source = source;
            this.initialiser = initialiser;
            this.results = results;
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case InvokeInstruction invoke ->
                    code.loadConstant(site(results.getOrDefault(++call, ""))).invokestatic(PROBE, "at", AT);
                case ArrayLoadInstruction load ->
                    code.dup2().loadConstant(site("")).invokestatic(PROBE, "load", ELEMENT);
                case ArrayStoreInstruction store -> {
                    copyArrayAndIndex(code, store.typeKind().slotSize());
                    code.loadConstant(site("")).invokestatic(PROBE, "store", ELEMENT);
                }
                default -> {}
            }
            code.with(element);
            if (element instanceof NewPrimitiveArrayInstruction && !initialiser) {
                code.dup().invokestatic(PROBE, "fresh", FRESH);
            }
        }

        private int site(String variable) {
            return sites.add(source + ":" + line, variable);
        }

        /** Stack array, index, value to array, index, value, array, index. */
        private static void copyArrayAndIndex(CodeBuilder code, int valueSlots) {
            if (valueSlots == 1) {
                code.dup_x2().pop().dup2_x1();
            } else {
                code.dup2_x2().pop2().dup2_x2();
            }
        }
    }
}
