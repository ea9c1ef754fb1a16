/**
 * A git repository as a guarded target, with nothing but stock git on both sides.
 *
 * <p>The fence is a commit on a ref of its own. Every fenced push moves that ref and the user's branches in one atomic push,
 * on the condition that the fence is still where it was when its token was judged. So whoever was judged before somebody
 * else raised the fence is refused by the server, all of it, however long it was paused in between:
 *
 * <ol>
 *   <li>read the fence and judge the grant by {@link dev.leasehold.model.FenceState}, the rules of all fences;
 *   <li>make a child of the fence's commit: it is new, so git cannot skip the ref as up to date;
 *   <li>push it and the branches with {@code --atomic --force-with-lease=FENCE:OLD}. Without {@code --atomic} the branches
 *       would land although the fence is refused; a server that does not know it is refused.
 * </ol>
 *
 * <p>A push whose answer was lost is asked for in the history of the fence: if its commit is there, it landed. If the fence
 * has not moved, it is moved by an empty step, and the lost push can never land any more.
 *
 * <p>What this does not do: stop a plain {@code git push}. For repositories one owns there is {@link
 * dev.leasehold.git.GitHook}, which makes the server ask for the fence.
 */
@NullMarked
package dev.leasehold.git;

import org.jspecify.annotations.NullMarked;
