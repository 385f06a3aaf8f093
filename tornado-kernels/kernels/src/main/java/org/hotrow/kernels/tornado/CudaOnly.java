package org.hotrow.kernels.tornado;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks kernels, and their helpers, with instructions that only the CUDA back end has: warp operations, matrix units,
 * asynchronous copies, conversions of FP8 and halves.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface CudaOnly {}
