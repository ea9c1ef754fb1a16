package dev.leasehold.client.message;

/** Removes a name that an examination of the store has made. */
public record EraseCall(@Required String name) {}
