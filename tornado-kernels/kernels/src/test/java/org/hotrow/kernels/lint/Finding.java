package org.hotrow.kernels.lint;

/**
 * A place in a kernel that breaks a rule.
 *
 * @param method class and method, {@code Fp8Linear.multiply}
 * @param line the method's first one if it is about all of it; 0 if the class file has no lines
 * @param what the variable, call or field
 */
record Finding(String method, int line, Rule rule, String what) implements Comparable<Finding> {
    @Override
    public int compareTo(Finding other) {
        int order = method.compareTo(other.method);
        return order != 0 ? order : Integer.compare(line, other.line);
    }

    @Override
    public String toString() {
        return method + (line == 0 ? "" : ", line " + line) + ": " + rule + " " + what + ": " + rule.advice();
    }
}
