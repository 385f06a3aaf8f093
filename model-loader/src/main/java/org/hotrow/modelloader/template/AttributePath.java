package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the filters mean by {@code attribute='a.b.0'}: an item of an item; a part of only digits is an index. */
final class AttributePath {
    private final List<TemplateValue> parts;
    private final @Nullable TemplateValue fallback;

    private AttributePath(List<TemplateValue> parts, @Nullable TemplateValue fallback) {
        this.parts = parts;
        this.fallback = fallback;
    }

    /**
     * @param attribute the path; null or none for the value itself
     * @param fallback instead of an undefined part; null or none for none
     */
    static AttributePath of(Rendering run, @Nullable TemplateValue attribute, @Nullable TemplateValue fallback) {
        List<TemplateValue> parts = new ArrayList<>();
        if (attribute instanceof TemplateText text) {
            run.chargeChars(text.length());
            for (String part : text.chars().split("\\.", -1)) {
                run.charge(1);
                parts.add(part(part));
            }
        } else if (attribute != null && attribute != NoneValue.NONE) {
            parts.add(attribute);
        }
        return new AttributePath(parts, fallback == NoneValue.NONE ? null : fallback);
    }

    private static TemplateValue part(String part) {
        boolean isIndex = !part.isEmpty() && part.length() < 20 && part.chars().allMatch(c -> c >= '0' && c <= '9');
        return isIndex ? new IntValue(new BigInteger(part)) : TemplateText.untrusted(part);
    }

    TemplateValue of(Rendering run, TemplateValue value) {
        TemplateValue found = value;
        for (TemplateValue part : parts) {
            found = Attributes.item(run, found, part);
            if (fallback != null && found instanceof UndefinedValue) {
                found = fallback;
            }
        }
        return found;
    }
}
