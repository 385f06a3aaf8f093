package org.hotrow.allocator;

/** What {@link Allocator#plan} answers. */
public sealed interface PlanResult permits StepPlan, Refusal {}
