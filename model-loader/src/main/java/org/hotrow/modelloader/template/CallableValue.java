package org.hotrow.modelloader.template;

/** A macro, a function or a method bound to its value. */
record CallableValue(String name, Body body) implements TemplateValue {
    @FunctionalInterface
    interface Body {
        TemplateValue call(Arguments arguments);
    }

    @Override
    public boolean isTrue() {
        return true;
    }

    @Override
    public String typeName() {
        return "function";
    }
}
