package dev.leasehold.client.message;

/** Gives back what an attempt may have got, for a caller that does not know. */
public record AbandonCall(@Required String name, @Required String attempt) {}
