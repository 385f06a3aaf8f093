package org.hotrow.modelloader.template;

/** Python's None. */
enum NoneValue implements TemplateValue {
    NONE;

    @Override
    public boolean isTrue() {
        return false;
    }

    @Override
    public String typeName() {
        return "NoneType";
    }
}
