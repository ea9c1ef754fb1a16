package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A renewal that came after more than 80 % of the trusted time: the next one may come too late. */
public final class LateRenewal {
    private LateRenewal() {}

    /** What to say of a renewal; null if it came in good time. */
    public static @Nullable String explain(Lease lease, Duration gap) {
        return explain(lease.grant().name(), lease.terms(), gap);
    }

    public static @Nullable String explain(LeaseName name, LeaseTerms terms, Duration gap) {
        Duration trusted = terms.trustedFor();
        return gap.toNanos() <= trusted.toNanos() / 10 * 8
                ? null
                : "warning: the renewal of " + name + " came after " + DurationText.show(gap) + " of the trusted "
                        + DurationText.show(trusted) + "; raise the ttl";
    }
}
