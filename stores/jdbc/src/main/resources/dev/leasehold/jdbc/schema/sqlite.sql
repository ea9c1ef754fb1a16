-- Leasehold on SQLite. Created on first use. If the application may not create tables, run this script yourself.
-- Times are microseconds since 1970 by the host's clock. A lease row outlives its holder, because the token must.
-- The row with the empty name is no lease: its token is the highest of all forgotten names, and new names start above it.

create table if not exists leasehold_lease (
    name text not null primary key,
    token integer not null,
    attempt text not null,
    holder text not null,
    reason text not null,
    note text,
    acquired integer not null,
    deadline integer not null,
    term integer not null,
    released integer not null,
    seen integer not null,
    progress_at integer,
    progress_note text,
    checkpoint text,
    transfers integer not null
) strict;

-- A ring buffer of 64 transfers per name: the slot is the number of the transfer modulo 64.
create table if not exists leasehold_history (
    name text not null,
    slot integer not null,
    token integer not null,
    attempt text not null,
    holder text not null,
    reason text not null,
    note text,
    acquired integer not null,
    primary key (name, slot)
) strict;

create trigger if not exists leasehold_first_transfer after insert on leasehold_lease
begin
    insert into leasehold_history (name, slot, token, attempt, holder, reason, note, acquired)
    values (new.name, new.transfers % 64, new.token, new.attempt, new.holder, new.reason, new.note, new.acquired)
    on conflict (name, slot) do update
    set token = excluded.token, attempt = excluded.attempt, holder = excluded.holder, reason = excluded.reason,
        note = excluded.note, acquired = excluded.acquired;
end;

create trigger if not exists leasehold_next_transfer after update of transfers on leasehold_lease
when new.transfers <> old.transfers
begin
    insert into leasehold_history (name, slot, token, attempt, holder, reason, note, acquired)
    values (new.name, new.transfers % 64, new.token, new.attempt, new.holder, new.reason, new.note, new.acquired)
    on conflict (name, slot) do update
    set token = excluded.token, attempt = excluded.attempt, holder = excluded.holder, reason = excluded.reason,
        note = excluded.note, acquired = excluded.acquired;
end;

create table if not exists leasehold_register (
    entry text not null primary key,
    version integer not null,
    content blob not null
) strict;

create table if not exists leasehold_fence (
    resource text not null primary key,
    name text not null,
    store text,
    raised integer not null,
    attempt text,
    once integer,
    digest text,
    uses integer not null
) strict;

create table if not exists leasehold_meta (
    item text not null primary key,
    content text not null
) strict;
