package dev.leasehold.events;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The names that operators forgot last, for questions that come later. It is one record of limited length, so that
 * forgetting names does not make the store grow.
 */
public final class ForgottenNames {
    private static final String HEADER = "leasehold forgotten names 1";
    private static final String KEY = "forgotten-names";
    private static final String NAME = "name";
    private static final int KEPT = 64;

    private final CasRegister register;

    public ForgottenNames(CasRegister register) {
        this.register = register;
    }

    /** Who forgot a name, when and why. */
    public record Forgotten(LeaseName name, FencingToken token, Instant at, Holder by, Note reason) {
        public String words() {
            return name + " was forgotten by " + by + " (\"" + reason + "\"). Its last token is " + token
                    + ", and the next grant gets a higher one.";
        }

        private String line() {
            return Words.join(name, token, at, by.value().length(), by.value() + reason);
        }

        private static Forgotten parse(String line) {
            Words words = new Words("a forgotten name", line);
            LeaseName name = LeaseName.of(words.word());
            FencingToken token = words.token();
            Instant at = words.instant();
            return new Forgotten(name, token, at, Holder.of(words.counted()), Note.of(words.rest()));
        }
    }

    public void add(LeaseSnapshot lease, Holder by, Note reason) {
        LeaseName name = lease.lease().name();
        Forgotten now = new Forgotten(name, lease.lease().token(), lease.at(), by, reason);
        Contention.system().resolve("the record of forgotten names", () -> {
            CasRegister.Reading before = register.read(KEY);
            List<Forgotten> names = new ArrayList<>(List.of(now));
            for (Forgotten earlier : parse(before)) {
                if (!earlier.name.equals(name) && names.size() < KEPT) {
                    names.add(earlier);
                }
            }
            Fields fields = new Fields(HEADER);
            names.forEach(one -> fields.put(NAME, one.line()));
            return register.compareAndSet(KEY, before.version(), fields.format()) ? Optional.of(now) : Optional.empty();
        });
    }

    /** For a name without a lease. */
    public Optional<Forgotten> find(LeaseName name) {
        return parse(register.read(KEY)).stream()
                .filter(forgotten -> forgotten.name.equals(name))
                .findFirst();
    }

    /** A record that cannot be read tells nothing. */
    private static List<Forgotten> parse(CasRegister.Reading reading) {
        try {
            return reading.value()
                    .map(text -> Fields.parse(HEADER, text).all(NAME).stream()
                            .map(Forgotten::parse)
                            .toList())
                    .orElse(List.of());
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return List.of();
        }
    }
}
