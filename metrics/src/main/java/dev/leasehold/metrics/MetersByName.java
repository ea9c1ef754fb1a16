package dev.leasehold.metrics;

import dev.leasehold.model.LeaseName;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of each name, or one set of meters for all names. A registry looks meters up slowly and
 * keeps them for ever, so they are looked up once, and for a limited number of names.
 */
final class MetersByName<M> {
    /** The names that get meters of their own. The others share theirs. */
    static final int MOST_NAMES = 1000;

    static final String TAG = "name";

    /** Not the name of any lease. */
    static final String OTHERS = "(others)";

    private final Function<Tags, M> make;
    private final boolean byName;
    private final Map<LeaseName, M> named = new ConcurrentHashMap<>();
    private volatile @Nullable M shared;

    private MetersByName(Function<Tags, M> make, boolean byName) {
        this.make = make;
        this.byName = byName;
        if (!byName) {
            shared = make.apply(Tags.empty());
        }
    }

    /** One set of meters, without names. */
    static <M> MetersByName<M> common(Function<Tags, M> make) {
        return new MetersByName<>(make, false);
    }

    /** A set of meters for each name. */
    static <M> MetersByName<M> each(Function<Tags, M> make) {
        return new MetersByName<>(make, true);
    }

    M of(LeaseName name) {
        M own = byName ? named.get(name) : null;
        if (own != null) {
            return own;
        }
        return byName && named.size() < MOST_NAMES
                ? named.computeIfAbsent(name, key -> make.apply(Tags.of(TAG, key.value())))
                : shared();
    }

    private M shared() {
        M known = shared;
        if (known == null) {
            // A registry returns the same meters again, so it does not matter who is first.
            known = make.apply(Tags.of(TAG, OTHERS));
            shared = known;
        }
        return known;
    }
}
