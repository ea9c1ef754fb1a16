package dev.leasehold.client.message;

import java.util.List;

/** The latest transfers of a name, newest first. */
public record HistoryAnswer(@Required List<TransferPart> transfers) {}
