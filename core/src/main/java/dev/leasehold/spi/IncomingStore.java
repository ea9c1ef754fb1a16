package dev.leasehold.spi;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Transfer;
import java.util.List;

/**
 * A place that is filled with the content of another store. Nobody can open it before it is
 * complete. What another process puts there at the same time is not mixed with it.
 */
public interface IncomingStore extends AutoCloseable {
    /** The register to fill. Its readings have the clock of this place. */
    CasRegister register();

    /**
     * Puts a lease, in place of an earlier one of the same name.
     *
     * @param record with times by the clock of this place
     * @param history its transfers, newest first; the first is the owner of the record
     */
    void put(LeaseRecord record, List<Transfer> history);

    /** Sets the floor under the tokens of new names, see {@link LeaseStore#floor}. */
    void raiseFloor(long floor);

    /**
     * Does everything that can fail, except the last step.
     *
     * @throws dev.leasehold.model.StoreUnavailableException if there is a store meanwhile
     */
    void prepare();

    /** Makes the place a store. */
    void complete();

    @Override
    void close();
}
