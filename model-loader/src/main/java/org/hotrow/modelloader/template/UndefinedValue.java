package org.hotrow.modelloader.template;

/**
 * The value of a name, attribute or item that doesn't exist: prints as nothing, counts as false, has no items;
 * everything else fails with {@code problem}.
 *
 * @param denied it does exist in Python but is out of a template's reach: the failure is one of security
 */
record UndefinedValue(String problem, boolean denied) implements TemplateValue {
    static UndefinedValue name(String name) {
        return new UndefinedValue("'" + name + "' is undefined", false);
    }

    static UndefinedValue attribute(TemplateValue object, String name) {
        return new UndefinedValue("a value of type " + object.typeName() + " has no attribute '" + name + "'", false);
    }

    static UndefinedValue item(TemplateValue object) {
        return new UndefinedValue("a value of type " + object.typeName() + " has no such element", false);
    }

    static UndefinedValue because(String problem) {
        return new UndefinedValue(problem, false);
    }

    static UndefinedValue denied(TemplateValue object, String name) {
        return new UndefinedValue(
                "attribute '" + name + "' of a value of type " + object.typeName() + " is out of reach", true);
    }

    @Override
    public boolean isTrue() {
        return false;
    }

    @Override
    public String typeName() {
        return "Undefined";
    }
}
