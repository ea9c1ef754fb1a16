package dev.leasehold.internal;

import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException.Stage;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;

/** A store that moves away. Each kind of store records in its own way how far the move has come. */
public abstract class MovingStore implements OutgoingStore {
    private final MovedStore state;
    private final LeaseStore content;

    protected MovingStore(MovedStore state, LeaseStore content) {
        this.state = state;
        this.content = content;
    }

    /** Records the next stage, unless another process moves the store now. */
    protected abstract void record(MovedStore next);

    @Override
    public final StoreId id() {
        return state.id();
    }

    @Override
    public final LeaseStore content() {
        return content;
    }

    @Override
    public final void allCopied() {
        record(state.at(Stage.COPIED));
    }

    @Override
    public final void finish() {
        record(state.at(Stage.MOVED));
    }

    @Override
    public void close() {
        content.close();
    }
}
