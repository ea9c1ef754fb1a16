package dev.leasehold.cli.operate;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that operators removed from the lists. The store keeps the lease itself, because its
 * counter must outlive its holders. The register keeps the token at which a name was forgotten: the
 * name is hidden while that token is the latest, and any later grant shows it again.
 */
final class ForgottenNames {
    private static final String HEADER = "leasehold forgotten 1";
    private static final String PREFIX = "forgotten/";
    private static final int PAGE = 500;

    private final CasRegister register;

    ForgottenNames(CasRegister register) {
        this.register = register;
    }

    /** Who forgot a name, when and why. */
    record Forgotten(FencingToken token, Instant at, Holder by, Note reason) {
        String words(LeaseName name) {
            return name + " was forgotten by " + by + " (\"" + reason + "\"). Its last token is " + token
                    + ", and the next grant gets a higher one.";
        }
    }

    void add(LeaseSnapshot lease, Holder by, Note reason) {
        String key = PREFIX + lease.lease().name();
        String text = new Fields(HEADER)
                .put("token", lease.lease().token())
                .put("at", lease.at())
                .put("by", by)
                .put("reason", reason)
                .format();
        Contention.system().resolve("the record of a forgotten name", () -> {
            CasRegister.Reading before = register.read(key);
            return register.compareAndSet(key, before.version(), text) ? Optional.of(text) : Optional.empty();
        });
    }

    /** Empty if the name was not forgotten, or was granted again since. */
    Optional<Forgotten> find(LeaseSnapshot lease) {
        return register.read(PREFIX + lease.lease().name())
                .value()
                .flatMap(ForgottenNames::parse)
                .filter(forgotten -> forgotten.token().equals(lease.lease().token()));
    }

    /** The names with a record, of which some may have been granted again. */
    Set<String> candidates() {
        Set<String> names = new HashSet<>();
        String after = "";
        List<String> keys;
        do {
            keys = register.keys(PREFIX, after, PAGE);
            for (String key : keys) {
                names.add(key.substring(PREFIX.length()));
                after = key;
            }
        } while (keys.size() == PAGE);
        return names;
    }

    /** A record that cannot be read hides nothing. */
    private static Optional<Forgotten> parse(String text) {
        try {
            Fields fields = Fields.parse(HEADER, text);
            return Optional.of(new Forgotten(
                    FencingToken.parse(fields.require("token")),
                    fields.requireInstant("at"),
                    Holder.of(fields.require("by")),
                    Note.of(fields.require("reason"))));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
