package dev.leasehold.store;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.IncomingStore;
import java.util.List;

/**
 * A register that is filled with the content of another store, in a part that only this process uses. To create the id,
 * with the name of the part, makes it a store. If the process dies before that, the part stays, and nobody reads it.
 */
final class IncomingCasStore implements IncomingStore {
    private final ConnectedRegister register;
    private final String shown;
    private final CasPlace place;
    private final PartRegister content;

    private IncomingCasStore(ConnectedRegister register, String shown, StoreId id) {
        this.register = register;
        this.shown = shown;
        String part = CasPlace.partNamed(new SystemIds().unique());
        this.place = new CasPlace(id, part, null);
        this.content = new PartRegister(new RegisterPart(register, part));
    }

    static IncomingCasStore start(ConnectedRegister register, String shown, StoreId id) {
        IncomingCasStore incoming = new IncomingCasStore(register, shown, id);
        incoming.requireFree();
        return incoming;
    }

    private void requireFree() {
        CasPlace.read(register).ifPresent(found -> {
            throw new StoreUnavailableException(
                    found.moved() == null
                            ? "there is a store in " + shown + " already; nothing was changed. Choose another place"
                            : "what remains of a store that was moved away is in " + shown
                                    + "; nothing was changed. Choose another place");
        });
    }

    @Override
    public CasRegister register() {
        return content;
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        put(RegisterPart.LEASES + record.name(), RecordText.format(record, history));
    }

    @Override
    public void raiseFloor(long floor) {
        if (floor > 0) {
            put(RegisterPart.FLOOR_KEY, Long.toString(floor));
        }
    }

    private void put(String key, String value) {
        CasRegister.Reading before = content.read(key);
        if (!content.compareAndSet(key, before.version(), value)) {
            throw new StoreUnavailableException("another program writes to " + shown + "; repeat the move");
        }
    }

    @Override
    public void prepare() {
        requireFree();
    }

    @Override
    public void complete() {
        if (!register.compareAndSet(CasPlace.ID_KEY, CasRegister.ABSENT, place.text())) {
            requireFree();
            throw new StoreUnavailableException(
                    shown + " refused the id of the store, and has none; the move was not completed. Repeat it");
        }
    }

    @Override
    public void close() {
        register.close();
    }

    /** The part as a register of its own. */
    private record PartRegister(RegisterPart part) implements CasRegister {
        @Override
        public Reading read(String key) {
            return part.register().read(part.placed(key));
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            return part.register().compareAndSet(part.placed(key), expected, value);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return part.keys(prefix, after, limit);
        }
    }
}
