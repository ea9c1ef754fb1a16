package dev.leasehold.etcd;

/** A key as it is in etcd, with its value and the revision of its last change. */
record EtcdKey(String name, String value, long revision) {}
