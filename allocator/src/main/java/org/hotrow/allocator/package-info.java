/**
 * Who has which blocks of the KV tensor and which pages of the host pool. Knows no GPU types and moves no bytes.
 *
 * <pre>
 * KvRequest ---- Residency ---- block table ------\
 *  tokens         while seated   index table ------ BlockPool: one id space for rows, index, hot and staging blocks
 *                                hot table -------/
 *                                host table ------ host pages: 64 tokens of rows and of index keys under one number
 *                                                  |
 *                 PrefixCache: hash of a prefix ---/--- device blocks that still hold the same bytes
 * </pre>
 *
 * {@link org.hotrow.allocator.Allocator} is the way in. A step is decided by {@code Planner}, which only reads, and
 * carried out by {@code Commit}; both work on {@code KvState}. {@code WriteAhead} follows the copies to the host until
 * they complete. {@code Invariants} checks all of it.
 *
 * <p>A host page is one number for both host groups, rows and index keys: they are copied, published, held and evicted
 * together, so a prefix hit always has both, and counting pages counts both groups.
 */
@NullMarked
package org.hotrow.allocator;

import org.jspecify.annotations.NullMarked;
