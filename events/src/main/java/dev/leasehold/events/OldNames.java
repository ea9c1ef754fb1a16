package dev.leasehold.events;

import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names that nobody has used for long: free for longer than a given time, without a target that the store remembers and
 * without a job. Names that are used once, such as files that agents edited and keys with a date, would otherwise make the
 * store grow for ever. No token of a forgotten name is issued again.
 */
public final class OldNames {
    /** How many names one pass looks at that may be over: a host notes a limited number of them, and those who wait need most. */
    private static final int MAX_LOOKS = 200;

    private final LeaseStore store;
    private final String prefix;
    private final Duration age;

    /**
     * @param prefix how the names start
     * @param age how long they must have been free
     */
    public OldNames(LeaseStore store, String prefix, Duration age) {
        this.store = store;
        this.prefix = prefix;
        this.age = age;
    }

    /** Shows each such name, and changes nothing. Returns how many there are. */
    public int show(Consumer<LeaseSnapshot> each) {
        int[] found = {0};
        pages(page -> {
            found[0] += page.size();
            page.forEach(each);
        });
        return found[0];
    }

    /** Forgets each such name, with its log of runs. Returns how many were forgotten. */
    public int forget(Consumer<LeaseSnapshot> each) {
        RunLog log = new RunLog(store.register());
        SortedNames logged = new SortedNames(log::names);
        int[] forgotten = {0};
        pages(page -> {
            List<Forgetting> answers = page.isEmpty() ? List.of() : store.forget(requests(page));
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i) == Forgetting.FORGOTTEN) {
                    forgotten[0]++;
                    each.accept(page.get(i));
                    removeLog(log, logged, page.get(i).lease().name());
                }
            }
        });
        return forgotten[0];
    }

    /** A log that cannot be read stays. */
    private static void removeLog(RunLog log, SortedNames logged, LeaseName name) {
        try {
            if (logged.contains(name)) {
                log.remove(name);
            }
        } catch (StoreCorruptException e) {
            // 'leasehold doctor' reports what is damaged.
        }
    }

    private static List<ForgetRequest> requests(List<LeaseSnapshot> leases) {
        List<ForgetRequest> requests = new ArrayList<>();
        for (LeaseSnapshot lease : leases) {
            requests.add(new ForgetRequest(lease.lease().name(), lease.lease().token()));
        }
        return requests;
    }

    private void pages(Consumer<List<LeaseSnapshot>> each) {
        CasRegister register = store.register();
        JobRecords jobs = new JobRecords(register);
        SortedNames bound = new SortedNames(new TargetMemory(register)::names);
        SortedNames scheduled = new SortedNames(
                (after, limit) -> List.copyOf(jobs.versions(after, limit).keySet()));
        LeasePages pages = new LeasePages(store, prefix, damaged -> {});
        int looks = MAX_LOOKS;
        while (pages.hasNext()) {
            List<LeaseSnapshot> old = new ArrayList<>();
            for (LeaseSnapshot lease : pages.next()) {
                LeaseName name = lease.lease().name();
                boolean mayBeOver = lease.isSilent() && isOlderThanAge(lease, lease.readAt());
                if ((mayBeOver || isOld(lease)) && !bound.contains(name) && !scheduled.contains(name)) {
                    if (!mayBeOver) {
                        old.add(lease);
                    } else if (looks-- > 0) {
                        beginToObserve(name);
                    }
                }
            }
            each.accept(old);
        }
    }

    private boolean isOld(LeaseSnapshot lease) {
        return lease.isFree() && isOlderThanAge(lease, lease.at());
    }

    private boolean isOlderThanAge(LeaseSnapshot lease, Instant now) {
        return Duration.between(lease.lease().deadline(), now).compareTo(age) >= 0;
    }

    /**
     * In a store without a clock, a lease whose holder died is over only when this host has seen it unchanged for its term. A
     * list is no such look. This is one, and the host notes it: a pass that begins after the term finds the name free.
     */
    private void beginToObserve(LeaseName name) {
        try {
            store.inspect(name);
        } catch (StoreCorruptException e) {
            // 'leasehold doctor' reports what is damaged.
        }
    }

    /** The names of other records, read page by page beside the names of the leases. Both are in order. */
    private static final class SortedNames {
        private static final int PAGE = 500;

        private final BiFunction<String, Integer, List<LeaseName>> pages;
        private Iterator<LeaseName> page = List.<LeaseName>of().iterator();
        private @Nullable LeaseName next;
        private String last = "";
        private boolean more = true;

        SortedNames(BiFunction<String, Integer, List<LeaseName>> pages) {
            this.pages = pages;
        }

        /** To be asked in the order of names. */
        boolean contains(LeaseName name) {
            while ((next == null || next.compareTo(name) < 0) && advance()) {}
            return name.equals(next);
        }

        private boolean advance() {
            if (!page.hasNext() && more) {
                List<LeaseName> names = pages.apply(last, PAGE);
                more = names.size() == PAGE;
                page = names.iterator();
            }
            if (!page.hasNext()) {
                return false;
            }
            next = page.next();
            last = next.value();
            return true;
        }
    }
}
