/**
 * A git repository as a guarded target. Both sides need only stock git.
 *
 * <p>The fence of a lease is a ref that points to a commit. Every fenced push moves this ref and
 * the user's branches in one atomic push, on condition that the ref has not moved since the token
 * was judged. If another writer raised the fence in between, the server refuses the whole push,
 * however long the writer was paused. The steps are:
 *
 * <ol>
 *   <li>Read the fence and judge the grant by {@link dev.leasehold.model.FenceState#judge}.
 *   <li>Create a child of the fence's commit. It is always new, so git cannot skip the ref as
 *       up to date.
 *   <li>Push the commit and the branches with {@code --atomic --force-with-lease=FENCE:OLD}.
 *       Without {@code --atomic} the branches would land although the fence is refused, so a server
 *       without support for it is not used.
 * </ol>
 *
 * <p>If the answer to a push is lost, the history of the fence tells whether it landed: then its
 * commit is there. If the fence has not moved, the writer moves it with an empty commit, after
 * which the lost push can no longer land.
 *
 * <p>This does not stop a plain {@code git push}. In repositories that you own, {@link
 * dev.leasehold.git.GitHook} makes the server require the fence.
 */
@NullMarked
package dev.leasehold.git;

import org.jspecify.annotations.NullMarked;
