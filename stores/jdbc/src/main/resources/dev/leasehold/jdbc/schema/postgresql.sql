-- Leasehold on PostgreSQL. Created on first use. If the application may not create tables, run this script yourself.
-- Times are microseconds since 1970 by the server's clock. A lease row outlives its holder, because the token must.
-- The row with the empty name is no lease: its token is the highest of all forgotten names, and new names start above it.
-- The fill factor leaves room in each page, so that an update stays in its page and touches no index.

create table if not exists leasehold_lease (
    name varchar(200) collate "C" not null primary key,
    token bigint not null,
    attempt varchar(64) not null,
    holder varchar(200) not null,
    reason varchar(20) not null,
    note varchar(500),
    acquired bigint not null,
    deadline bigint not null,
    term bigint not null,
    released boolean not null,
    seen bigint not null,
    progress_at bigint,
    progress_note varchar(500),
    checkpoint varchar(4096),
    waited bigint not null
) with (fillfactor = 50);

-- The latest transfers of each name, at least 64; older ones are removed now and then.
create table if not exists leasehold_history (
    name varchar(200) collate "C" not null,
    token bigint not null,
    attempt varchar(64) not null,
    holder varchar(200) not null,
    reason varchar(20) not null,
    note varchar(500),
    acquired bigint not null
);

create index if not exists leasehold_history_name on leasehold_history (name, token);

create table if not exists leasehold_register (
    entry varchar(400) collate "C" not null primary key,
    version bigint not null,
    content bytea not null
);

create table if not exists leasehold_fence (
    resource varchar(400) collate "C" not null primary key,
    name varchar(200) collate "C" not null,
    store varchar(64),
    raised bigint not null,
    attempt varchar(64),
    once bigint,
    digest varchar(200),
    uses bigint not null
) with (fillfactor = 50);

create table if not exists leasehold_meta (
    item varchar(40) collate "C" not null primary key,
    content varchar(200) not null
);
