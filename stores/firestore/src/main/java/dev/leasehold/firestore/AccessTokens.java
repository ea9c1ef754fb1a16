package dev.leasehold.firestore;

/** Shows who calls: each call of the service carries such a token. */
interface AccessTokens {
    /** A token that is valid for some time. May ask for a new one. */
    String get();
}
