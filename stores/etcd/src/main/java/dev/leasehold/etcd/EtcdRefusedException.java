package dev.leasehold.etcd;

import dev.leasehold.model.StoreUnavailableException;

/** The cluster understood the call and refused it. */
final class EtcdRefusedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;
    private static final int INVALID_ARGUMENT = 3;

    private final int code;

    EtcdRefusedException(String message, int code) {
        super(message);
        this.code = code;
    }

    /** The user has no right to this. */
    boolean isForbidden() {
        return code == EtcdClient.PERMISSION_DENIED;
    }

    /** For example, it has more operations than this cluster permits. */
    boolean isInvalid() {
        return code == INVALID_ARGUMENT;
    }
}
