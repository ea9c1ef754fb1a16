package dev.leasehold.work;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** What the ledger answers to a claim. */
public sealed interface Claim {
    /**
     * The caller is to do it. The item carries the checkpoint of the run before, if there was one.
     *
     * @param claim to be shown with every further step
     */
    record Claimed(WorkClaim claim, WorkItem item) implements Claim {}

    /** It was completed, perhaps by this very caller: not to be run again. Not an error. */
    record AlreadyDone(WorkItem item) implements Claim {}

    /** It is not to be run by this caller, and nothing was changed. */
    sealed interface Refused extends Claim {
        String explanation();
    }

    /** It runs under another lease, which has not expired. Not an error: a skip. */
    record Taken(WorkItem item, Grant by) implements Refused {
        @Override
        public String explanation() {
            return "key " + item.id().key() + " is being done under lease " + by;
        }
    }

    /** The store does not call the lease current, most often because a higher token of the same name was issued. */
    record NotCurrent(Grant shown, Loss loss) implements Refused {
        @Override
        public String explanation() {
            return "token " + shown.token() + " of " + shown.name() + " is not current: " + loss.explanation();
        }
    }

    /** The item was claimed under a token of this name that the store has not issued: the store went back in time. */
    record StoreWentBack(Grant shown, WorkItem item, Grant known) implements Refused {
        @Override
        public String explanation() {
            return "the store went back in time: it issued token " + shown.token() + " of " + shown.name()
                    + ", but key "
                    + item.id().key() + " was claimed under token " + known.token()
                    + " by another grant (failover or restore?); lift the counter with: leasehold repair "
                    + shown.name()
                    + " --above " + known.token() + " --reason ...";
        }
    }

    /** The key is known with another input: a mistake in the key or in the input, and no retry. */
    record OtherInput(WorkItem item, Fingerprint given) implements Refused {
        @Override
        public String explanation() {
            return "key " + item.id().key() + " of " + item.id().name() + " belongs to another input (fingerprint "
                    + item.fingerprint() + ", now " + given + "): give the new input a key of its own";
        }
    }
}
