package dev.leasehold.work;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** The ledger's answer to a claim. */
public sealed interface Claim {
    /**
     * The caller may run the work. The item contains the checkpoint of the previous run, if there
     * was one.
     *
     * @param claim the proof for all further steps
     */
    record Claimed(WorkClaim claim, WorkItem item) implements Claim {}

    /** The work is done, perhaps by this caller, and must not run again. Not an error. */
    record AlreadyDone(WorkItem item) implements Claim {}

    /** The caller must not run the work. Nothing was changed. */
    sealed interface Refused extends Claim {
        String explanation();
    }

    /** The work runs under another lease that has not expired. Not an error, but a skip. */
    record Taken(WorkItem item, Grant by) implements Refused {
        @Override
        public String explanation() {
            return "key " + item.id().key() + " is being done under lease " + by;
        }
    }

    /** The lease is not current, most often because a higher token of the same name was issued. */
    record NotCurrent(Grant shown, Loss loss) implements Refused {
        @Override
        public String explanation() {
            return "token " + shown.token() + " of " + shown.name() + " is not current: " + loss.explanation();
        }
    }

    /** The item was claimed under a token that the store has not issued: the store lost records. */
    record StoreWentBack(Grant shown, WorkItem item, Grant known) implements Refused {
        @Override
        public String explanation() {
            return "the store went back in time: it issued token " + shown.token() + " of " + shown.name()
                    + ", but key "
                    + item.id().key() + " was claimed under token " + known.token()
                    + " by another grant (failover or restore?); lift the counter with: leasehold repair "
                    + shown.name()
                    + " --above " + known.token() + " --reason 'the store went back'";
        }
    }

    /** The key is known with another input, so this is a mistake and not a retry. */
    record OtherInput(WorkItem item, Fingerprint given) implements Refused {
        @Override
        public String explanation() {
            return "key " + item.id().key() + " of " + item.id().name() + " belongs to another input (fingerprint "
                    + item.fingerprint() + ", now " + given + "): use another key for the new input";
        }
    }
}
