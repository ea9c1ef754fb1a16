package dev.leasehold.aws;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import java.util.List;

/** A place in S3 that is filled with the content of another store. Its deadlines are later, like all in S3. */
record IncomingS3Store(IncomingStore place) implements IncomingStore {
    @Override
    public CasRegister register() {
        return place.register();
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        place.put(record.released() ? record : later(record), history);
    }

    static LeaseRecord later(LeaseRecord record) {
        return new LeaseRecord(
                record.name(),
                record.owner(),
                record.deadline().plus(S3LeaseStore.COARSENESS),
                record.term().plus(S3LeaseStore.COARSENESS),
                false,
                record.seen(),
                record.progress());
    }

    @Override
    public void raiseFloor(long floor) {
        place.raiseFloor(floor);
    }

    @Override
    public void prepare() {
        place.prepare();
    }

    @Override
    public void complete() {
        place.complete();
    }

    @Override
    public void close() {
        place.close();
    }
}
