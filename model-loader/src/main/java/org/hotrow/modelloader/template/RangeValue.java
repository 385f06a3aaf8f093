package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.AbstractList;
import java.util.List;

/** The numbers {@code start, start + step, ...}, {@code count} of them. {@code stop} is only for printing. */
record RangeValue(BigInteger start, BigInteger stop, BigInteger step, int count) implements TemplateValue {
    BigInteger at(int index) {
        return start.add(step.multiply(BigInteger.valueOf(index)));
    }

    boolean contains(BigInteger number) {
        BigInteger[] quotient = number.subtract(start).divideAndRemainder(step);
        return quotient[1].signum() == 0
                && quotient[0].signum() >= 0
                && quotient[0].compareTo(BigInteger.valueOf(count)) < 0;
    }

    /** The numbers as a list that makes them when asked. */
    List<TemplateValue> toList() {
        return new AbstractList<>() {
            @Override
            public TemplateValue get(int index) {
                return new IntValue(at(index));
            }

            @Override
            public int size() {
                return count;
            }
        };
    }

    @Override
    public boolean isTrue() {
        return count > 0;
    }

    @Override
    public String typeName() {
        return "range";
    }
}
