package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks whether a history is linearizable: whether its calls could have happened one after
 * another, each at some moment between its beginning and its end, with {@link LeaseState} as the
 * model. It tries all orders (the algorithm of Wing and Gong) and visits no state of the search
 * twice.
 */
final class Linearizability {
    static final int MAX_CALLS = 62;

    private final List<LeaseCall> calls;
    private final Set<Node> seen = new HashSet<>();
    private final long answered;

    /** @param done the calls that have happened, one bit each */
    private record Node(long done, LeaseState state) {}

    private Linearizability(List<LeaseCall> calls) {
        if (calls.size() > MAX_CALLS) {
            throw new IllegalArgumentException("a history of " + calls.size() + " calls is too long to check");
        }
        this.calls = calls;
        long bits = 0;
        for (int i = 0; i < calls.size(); i++) {
            bits |= calls.get(i).isAnswered() ? 1L << i : 0;
        }
        this.answered = bits;
    }

    static boolean holds(List<LeaseCall> calls) {
        return new Linearizability(calls).search(new Node(0, LeaseState.NEW));
    }

    private boolean search(Node node) {
        if ((node.done & answered) == answered) {
            return true;
        }
        if (!seen.add(node)) {
            return false;
        }
        long firstEnd = firstEndAmong(node.done);
        for (int i = 0; i < calls.size(); i++) {
            LeaseCall call = calls.get(i);
            // A call that began after another had ended cannot come before it.
            if ((node.done & 1L << i) == 0 && call.began() <= firstEnd && searchAfter(node, i, firstEnd)) {
                return true;
            }
        }
        return false;
    }

    private boolean searchAfter(Node node, int number, long firstEnd) {
        LeaseCall call = calls.get(number);
        for (LeaseState.Step step : node.state.steps(call, firstEnd)) {
            // An unanswered call that changes nothing need not have happened.
            boolean possible = call.isAnswered()
                    ? step.answer().equals(call.answer())
                    : !step.answer().word().changesNothing();
            if (possible && search(new Node(node.done | 1L << number, step.after()))) {
                return true;
            }
        }
        return false;
    }

    private long firstEndAmong(long done) {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < calls.size(); i++) {
            if ((done & 1L << i) == 0) {
                first = Math.min(first, calls.get(i).ended());
            }
        }
        return first;
    }

    /**
     * A smaller history that is not linearizable either, and that proves the whole one wrong. A
     * linearizable history stays linearizable when it is cut off at some moment, with the calls
     * under way unanswered, when a call that changed nothing is removed, and when an answer is
     * forgotten.
     */
    static List<LeaseCall> shrink(List<LeaseCall> failing) {
        List<LeaseCall> small = shortestBeginning(failing);
        for (LeaseCall call : List.copyOf(small)) {
            List<LeaseCall> less = new ArrayList<>(small);
            int at = less.indexOf(call);
            LeaseCall.Answer answer = call.answer();
            if (answer != null && answer.word().changesNothing()) {
                less.remove(at);
            } else {
                less.set(at, call.unanswered());
            }
            small = holds(less) ? small : less;
        }
        return small;
    }

    private static List<LeaseCall> shortestBeginning(List<LeaseCall> failing) {
        List<Long> ends = failing.stream()
                .filter(LeaseCall::isAnswered)
                .map(LeaseCall::ended)
                .sorted()
                .toList();
        for (long end : ends) {
            List<LeaseCall> beginning = failing.stream()
                    .filter(call -> call.began() <= end)
                    .map(call -> call.ended() <= end ? call : call.unanswered())
                    .toList();
            if (!holds(beginning)) {
                return beginning;
            }
        }
        return failing;
    }

    /** A readable table: when each call began and ended, which client made it, and its answer. */
    static String show(List<LeaseCall> history) {
        List<LeaseCall> sorted = new ArrayList<>(history);
        sorted.sort(Comparator.comparingLong(LeaseCall::began));
        StringBuilder text = new StringBuilder("   began    ended  (microseconds)\n");
        for (LeaseCall call : sorted) {
            text.append(call.line(sorted.get(0).began())).append('\n');
        }
        return text.toString();
    }
}
