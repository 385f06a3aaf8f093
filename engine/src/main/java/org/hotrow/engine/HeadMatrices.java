package org.hotrow.engine;

import java.util.List;
import org.hotrow.engine.lanes.PackedMatrix;

/**
 * The two halves of the key-value up-projection, by head, each the way round that absorbed attention multiplies it.
 *
 * @param absorb per head W_UK^T, {@code [latent, nope]}
 * @param expand per head W_UV, {@code [value, latent]}
 */
record HeadMatrices(List<PackedMatrix> absorb, List<PackedMatrix> expand) {}
